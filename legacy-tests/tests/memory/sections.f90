! Sections of arrays that callees overwrite.
module m
  implicit none
contains
  subroutine shift(v)
    real(8), intent(inout) :: v(:)
    integer :: i
    do i = 2, size(v)
      v(i) = v(i)*v(i - 1)
    end do
  end subroutine shift

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: a(n), c(n, n)
    real(8), allocatable :: b(:)
    integer :: k
    y = 0.0d0
    a = x
    b = x*2.0d0
    c = 0.5d0
    do k = 1, 3
      call shift(a(2:n))
      y = y + sum(a)*a(2)
      call shift(b(k:n:2))
      y = y + sum(b)*b(k)*a(1)
      c(k, :) = a*b
      call shift(c(k, 1:n - 1))
      y = y + sum(c)*c(k, 2)
    end do
  end subroutine head
end module m
