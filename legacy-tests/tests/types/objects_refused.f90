! Objects behind pointers and in arrays, records allocated as a whole under conditions: no derivative yet.
module m
  type :: base
    real(8) :: a = 1
  contains
    procedure :: area => area_base
  end type
  type, extends(base) :: disc
    real(8) :: r = 2
  contains
    procedure :: area => area_disc
  end type
  type :: holder
    real(8), allocatable :: v(:)
  end type
contains
  function area_base(self) result(s)
    class(base), intent(in) :: self
    real(8) :: s
    s = self%a
  end function
  function area_disc(self) result(s)
    class(disc), intent(in) :: self
    real(8) :: s
    s = self%a*self%r**2
  end function
  subroutine pointers(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    class(base), pointer :: p
    type(disc), target :: d
    d%r = x
    p => d
    y = p%area()
  end subroutine
  subroutine arrays(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(disc) :: d(3)
    d(:)%r = x
    y = total(d)
  end subroutine
  function total(d) result(y)
    class(base), intent(in) :: d(:)
    real(8) :: y
    integer :: i
    y = 0
    do i = 1, size(d)
      y = y + d(i)%area()
    end do
  end function
  subroutine whole(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(holder), allocatable :: h(:), k(:)
    integer :: i
    allocate (h(2))
    do i = 1, 2
      allocate (h(i)%v(i))
      h(i)%v = x*i
    end do
    k = h
    k = [k, h]
    y = k(4)%v(2)*x
  end subroutine
  subroutine state(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call poly(y, x)
  contains
    subroutine poly(y, x)
      real(8), intent(out) :: y
      real(8), intent(in) :: x
      class(base), allocatable :: o
      allocate (o, source=disc(x, x))
      y = o%area()
    end subroutine
  end subroutine
end module
