! A submodule of a submodule; a separate procedure with its body in the module itself; private by default.
module deep
  implicit none
  private
  public :: head, shared
  real(8), protected :: shared = 1.5d0
  interface
    module subroutine first(x, y)
      real(8), intent(in) :: x(:)
      real(8), intent(inout) :: y
    end subroutine
    recursive module function power(x, n) result(r)
      real(8), intent(in) :: x
      integer, intent(in) :: n
      real(8) :: r
    end function
    module subroutine inside(x)
      real(8), intent(inout) :: x
    end subroutine
  end interface
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    y = x(1)
    call first(x, y)
    call inside(y)
  end subroutine
  module procedure inside
    x = x*x*shared
  end procedure
end module
submodule (deep) middle
  implicit none
  interface
    module function third(x) result(r)
      real(8), intent(in) :: x(:)
      real(8) :: r(size(x))
    end function
  end interface
contains
  module procedure first
    integer :: i
    real(8) :: t(size(x))
    t = third(x)
    do i = 1, size(x)
      y = y + power(t(i), 3)*helper(y)
    end do
  contains
    real(8) function helper(v)
      real(8), intent(in) :: v
      helper = v*x(1)*shared
    end function
  end procedure first
end submodule
submodule (deep:middle) low
  implicit none
contains
  module procedure third
    r = sin(x)*shared
  end procedure
  module procedure power
    if (n == 0) then
      r = 1
    else
      r = x*power(x, n - 1)
    end if
  end procedure
end submodule
