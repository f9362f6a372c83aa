module c6m
  implicit none
  type :: base
    real(8) :: r = 1.5d0
  contains
    procedure :: val => base_val
    procedure :: add
  end type
  type, extends(base) :: wide
    real(8) :: k(3) = 0.25d0
  contains
    procedure :: val => wide_val
  end type
  type, extends(wide) :: deep
    integer :: m = 2
  end type
contains
  function base_val(self, x) result(v)
    class(base), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: v
    v = self%r*x
  end function
  function wide_val(self, x) result(v)
    class(wide), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: v
    v = sum(self%k)*x**2 + self%r
  end function
  subroutine add(self, x)
    class(base), intent(inout) :: self
    real(8), intent(in) :: x
    self%r = self%r + x
  end subroutine
  subroutine twice(o, x, y)
    class(base), intent(inout) :: o
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = y + o%val(x)
    call o%add(x*y)
    y = sin(y)*o%val(y)
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    class(base), allocatable :: s, t, only
    integer :: i, j
    v = 0
    allocate (wide :: only)
    only%r = u(1)
    do i = 1, n
      if (mod(i, 2) == 0) then
        allocate (base :: s)
      else if (i == 3) then
        allocate (deep :: s)
      else
        allocate (wide :: s)
      end if
      allocate (wide :: t)
      s%r = s%r*u(i)
      t%r = s%r**2 + s%val(u(1))
      select type (s)
      class is (wide)
        s%k(2) = u(i)
        s%k = s%k*t%r
        do j = 1, 2
          if (s%k(j) > 0.3d0) v = v + s%k(j)
        end do
      type is (base)
        v = v*s%r
      end select
      select type (q => t)
      class is (wide)
        q%k(1) = q%r*u(2)
        v = v + q%val(u(3)) + q%k(1)
      end select
      v = v + s%r*t%r*only%r
      call twice(s, u(i), v)
      call twice(t, s%r, v)
      call only%add(u(i))
      if (i > 2) call s%add(v)
      v = sin(v) + s%val(t%val(u(1)))
      deallocate (s)
      deallocate (t)
    end do
    v = v + only%val(u(1))
  end subroutine
end module
