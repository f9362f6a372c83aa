module a4m
  implicit none
  type, abstract :: shape
    real(8) :: r = 0
  contains
    procedure(ai), deferred :: area
  end type
  abstract interface
    function ai(self) result(v)
      import :: shape
      class(shape), intent(in) :: self
      real(8) :: v
    end function
  end interface
  type, extends(shape) :: square
    real(8) :: k = 2
  contains
    procedure :: area => sq
  end type
  type, extends(shape) :: disc
  contains
    procedure :: area => di
  end type
contains
  function sq(self) result(v)
    class(square), intent(in) :: self
    real(8) :: v
    v = self%k*self%r**2
  end function
  function di(self) result(v)
    class(disc), intent(in) :: self
    real(8) :: v
    v = 3*self%r**3
  end function
  subroutine total(s, y)
    class(shape), intent(in) :: s
    real(8), intent(inout) :: y
    y = y + s%area()
  end subroutine
  subroutine sel(s, y)
    class(shape), intent(inout) :: s
    real(8), intent(inout) :: y
    select type (s)
    type is (square)
      s%k = s%k*y
      y = y*s%r
    class is (disc)
      y = y + s%r
    class default
      y = 0
    end select
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(square) :: a
    type(disc) :: b
    integer :: i
    v = 0
    do i = 1, n
      a%r = u(i)
      b%r = u(i)**2
      call total(a, v)
      call total(b, v)
      call sel(a, v)
      call sel(b, v)
      call total(a, v)
    end do
  end subroutine
end module
