module poly
  implicit none
  type, abstract :: shape
  contains
    procedure(area_i), deferred :: area
  end type
  abstract interface
    function area_i(self, s) result(a)
      import shape
      class(shape), intent(in) :: self
      real(8), intent(in) :: s
      real(8) :: a
    end function
  end interface
  type, extends(shape) :: circle
    real(8) :: r
  contains
    procedure :: area => circle_area
  end type
  type, extends(shape) :: rect
    real(8) :: a, b
  contains
    procedure :: area => rect_area
  end type
contains
  function circle_area(self, s) result(a)
    class(circle), intent(in) :: self
    real(8), intent(in) :: s
    real(8) :: a
    a = 3.14d0*self%r**2*s
  end function
  function rect_area(self, s) result(a)
    class(rect), intent(in) :: self
    real(8), intent(in) :: s
    real(8) :: a
    a = self%a*self%b*s**2
  end function
  subroutine total(sh, s, t)
    class(shape), intent(in) :: sh
    real(8), intent(in) :: s
    real(8), intent(inout) :: t
    t = t + sh%area(s)*t
  end subroutine
end module
subroutine head(n, x, y)
  use poly
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(circle) :: c
  type(rect) :: r
  integer :: i
  y = 1
  do i = 1, n-2
    c = circle(x(i))
    r = rect(x(i), x(i+1))
    call total(c, x(i+2), y)
    call total(r, x(i+2), y)
    if (y > 1d3) y = sqrt(y)
  end do
end subroutine
