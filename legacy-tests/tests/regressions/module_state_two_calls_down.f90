module m
  implicit none
  real(8) :: w(3), s
contains
  subroutine work(x, k)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    w(k) = x*x
    s = s + w(k)*w(1)
  end subroutine
  subroutine mid(x, k)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    call work(sin(x), k)
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: k
    s = 0
    w = 1
    do k = 1, 3
      call mid(x(k), k)
    end do
    do k = 3, 1, -1
      call mid(x(k)*s, k)
    end do
    y = s
  end subroutine
end module
