! What internal procedures use of the host, directly or through others, one of which hides a name of the host.
module i1m
  implicit none
  real(8) :: mod_k = 1.5d0
contains
  subroutine head(n, x, c, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), c
    real(8), intent(out) :: y
    real(8) :: a(n), w(0:2)
    integer :: i, cnt
    real(8), parameter :: p = 2.5d0
    cnt = 0
    w = 0.0d0
    do i = 1, n
      call fill()
      a(i) = a(i) + twice(x(i))
    end do
    do i = 1, n
      if (i == 1) cycle
      call acc(a(i))
    end do
    y = w(0)*w(1) + w(2)*cnt
  contains
    subroutine fill()
      a(i) = p*x(i)**2 + c*mod_k
      cnt = cnt + 1
    end subroutine fill
    real(8) function twice(v)
      real(8), intent(in) :: v
      twice = 2*v*c + idx(i)
    end function twice
    real(8) function idx(k)
      integer, intent(in) :: k
      idx = k*0.5d0 + cnt
    end function idx
    subroutine acc(v)
      real(8), intent(in) :: v
      w(0) = w(0) + sin(v)
      w(1) = w(1) + v*c
      call deeper(v*v)
    end subroutine acc
    subroutine deeper(v)
      real(8), intent(in) :: v
      integer :: a
      a = 1
      w(2) = w(2)*0.5d0 + v*sum(x)*a
      call third
    end subroutine deeper
    subroutine third
      a(1) = a(1)*1.01d0
    end subroutine third
  end subroutine head
end module i1m
