! Internal functions that use nothing of their host, passed on and called as arguments.
module t6m
  implicit none
contains
  subroutine integrate(f, a, b, r)
    interface
      real(8) function f(x)
        real(8), intent(in) :: x
      end function
    end interface
    real(8), intent(in) :: a, b
    real(8), intent(out) :: r
    integer :: i
    r = 0
    do i = 1, 10
      r = r + f(a + (i - 0.5d0)*(b - a)/10)*(b - a)/10
    end do
  end subroutine
  subroutine head(p, q, y)
    real(8), intent(in) :: p, q
    real(8), intent(out) :: y
    real(8) :: r
    call integrate(g, 0.0d0, q, r)
    y = r*q*p
    call integrate(h, 0.0d0, q, r)
    y = y + r
  contains
    real(8) function g(x)
      real(8), intent(in) :: x
      g = x**2
    end function
    real(8) function h(x)
      real(8), intent(in) :: x
      h = sin(x)
    end function
  end subroutine
end module
