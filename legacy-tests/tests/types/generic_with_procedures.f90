! Generic names, one of them bound to a type, whose specific procedures take procedures.
module m
  type :: rule
    real(8) :: h
  contains
    procedure, private :: area_of_function, area_of_values
    generic :: area => area_of_function, area_of_values
  end type
  abstract interface
    function fun(x) result(y)
      real(8), intent(in) :: x
      real(8) :: y
    end function
  end interface
  interface twice
    module procedure twice_function, twice_value
  end interface
contains
  function area_of_function(self, f, a) result(s)
    class(rule), intent(in) :: self
    procedure(fun) :: f
    real(8), intent(in) :: a
    real(8) :: s
    s = self%h*(f(a) + f(a + self%h))*0.5d0
  end function
  function area_of_values(self, f, a) result(s)
    class(rule), intent(in) :: self
    real(8), intent(in) :: f, a
    real(8) :: s
    s = self%h*f*a
  end function
  function twice_function(f, x) result(y)
    procedure(fun) :: f
    real(8), intent(in) :: x
    real(8) :: y
    y = f(f(x))
  end function
  function twice_value(v, x) result(y)
    real(8), intent(in) :: v, x
    real(8) :: y
    y = v*v*x
  end function
  function square(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = x*x
  end function
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(rule) :: r
    r%h = 0.5d0*x
    y = r%area(square, x) + r%area(x, x)
    y = y*twice(square, x) + twice(y, x)
  end subroutine
end module m
