module e2m
  implicit none
  type :: base
    real(8) :: r = 1.5d0
  end type
  type, extends(base) :: wide
    real(8) :: k = 0.25d0
  end type
contains
  subroutine init(self, x)
    class(base), intent(out) :: self
    real(8), intent(in) :: x
    self%r = x
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(wide) :: w
    w%k = u(1)
    v = w%k**2
    call init(w, u(2))
    v = v + w%k*w%r
  end subroutine
end module
