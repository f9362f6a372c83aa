module m
  implicit none
  type :: base
    real(8) :: r = 1.0d0
  contains
    procedure :: scale => base_scale
  end type
  type, extends(base) :: wide
    real(8) :: w = 2.0d0
  contains
    procedure :: scale => wide_scale
  end type
  type :: holder
    class(base), allocatable :: object
    class(base), allocatable :: other
    class(base), pointer :: pointed => null()
    class(base), allocatable :: many(:)
  end type
contains
  subroutine base_scale(self, x)
    class(base), intent(inout) :: self
    real(8), intent(inout) :: x
    x = x*self%r
  end subroutine
  subroutine wide_scale(self, x)
    class(wide), intent(inout) :: self
    real(8), intent(inout) :: x
    x = x*self%w
  end subroutine
  subroutine make(object, x)
    class(base), allocatable, intent(inout) :: object
    real(8), intent(in) :: x
    if (.not. allocated(object)) allocate (wide :: object)
    object%r = x
  end subroutine
  subroutine whole(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(holder) :: h
    type(wide) :: w
    y = x
    w%r = x
    h%object = w; call h%object%scale(y); h%object = base(y*x); call h%object%scale(y)
    y = y*h%object%r; h%object = w
    y = y*h%object%r
  end subroutine
  subroutine moved(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(holder) :: h
    y = x
    allocate (wide :: h%object)
    h%object%r = x
    call move_alloc(h%object, h%other)
    call h%other%scale(y)
    y = y*h%other%r
  end subroutine
  subroutine made(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(holder) :: h
    y = x
    call make(h%object, x)
    call h%object%scale(y)
    y = y*h%object%r
  end subroutine
  subroutine points(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(holder) :: h
    type(wide), target :: w
    y = x
    w%w = x
    h%pointed => w
    call h%pointed%scale(y)
  end subroutine
  subroutine lists(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(holder) :: h
    y = x
    allocate (wide :: h%many(2))
    h%many(1)%r = x
    call h%many(2)%scale(y)
    y = y*h%many(1)%r
  end subroutine
end module
