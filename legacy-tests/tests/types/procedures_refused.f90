! Procedure pointers outside of one procedure, CLASS (*), an internal procedure that is passed: no derivative yet.
module m
  type :: t
    procedure(fun), pointer, nopass :: f => null()
  end type
  abstract interface
    function fun(x) result(y)
      real(8), intent(in) :: x
      real(8) :: y
    end function
  end interface
  procedure(fun), pointer :: g => null()
contains
  function sq(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = x*x
  end function
  subroutine comp(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(t) :: o
    o%f => sq
    y = o%f(x)
  end subroutine
  subroutine modu(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    g => sq
    y = g(x)
  end subroutine
  subroutine star(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = 0
    call any_of(x, y)
  end subroutine
  subroutine any_of(a, y)
    class(*), intent(in) :: a
    real(8), intent(inout) :: y
    select type (a)
    type is (real(8))
      y = y + a*a
    end select
  end subroutine
  subroutine inner(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: k
    k = x*x
    y = apply(mult, x)
  contains
    function mult(z) result(w)
      real(8), intent(in) :: z
      real(8) :: w
      w = k*z
    end function
  end subroutine
  function apply(f, x) result(y)
    procedure(fun) :: f
    real(8), intent(in) :: x
    real(8) :: y
    y = f(x)
  end function
end module
