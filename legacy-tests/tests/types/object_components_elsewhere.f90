module gm
  implicit none
  type :: base
    real(8) :: k = 1.0d0
  contains
    procedure :: f => base_f
    procedure, nopass :: scale => base_scale
  end type
  type, extends(base) :: big
    real(8) :: e = 0.3d0
  contains
    procedure :: f => big_f
    procedure, nopass :: scale => big_scale
  end type
  type :: model
    class(base), allocatable :: s
    real(8) :: x(3) = 1
  end type
  type(model) :: shared
  type(model), target :: pool(2)
contains
  function base_f(self, x) result(r)
    class(base), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: r
    r = self%k*x
  end function
  function big_f(self, x) result(r)
    class(big), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: r
    r = self%k*x**2 + self%e
  end function
  subroutine base_scale(x)
    real(8), intent(inout) :: x
    x = 2*x
  end subroutine
  subroutine big_scale(x)
    real(8), intent(inout) :: x
    x = x**2
  end subroutine
  subroutine through_module(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    if (allocated(shared%s)) deallocate (shared%s)
    allocate (big :: shared%s)
    shared%s%k = u(1)
    v = shared%s%f(u(2))*sum(u)
    call shared%s%scale(v)
  end subroutine
  subroutine through_pointer(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(model), target :: a, b
    type(model), pointer :: p
    integer :: i
    allocate (big :: a%s)
    allocate (base :: b%s)
    v = 0
    do i = 1, n
      p => a
      if (mod(i, 2) == 0) p => b
      p%s%k = u(i)
      v = v + p%s%f(u(2))
    end do
  end subroutine
  subroutine jumps_out(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(model) :: a
    integer :: i
    v = 1
    outer: do i = 1, n
      if (allocated(a%s)) deallocate (a%s)
      if (i == 2) then
        allocate (base :: a%s)
      else
        allocate (big :: a%s)
      end if
      select type (s => a%s)
      type is (big)
        s%e = u(i)
        v = v + s%f(v)
        if (v > 3) exit outer
      class default
        v = v*s%f(u(i))
        if (v > 2) return
        cycle outer
      end select
      v = v*u(1)
    end do outer
    v = v + a%s%k*a%s%f(v)
  end subroutine
  subroutine with_types(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(model) :: a
    type(big) :: b
    allocate (big :: a%s)
    v = u(1)
    if (same_type_as(a%s, b)) v = v**2
    v = v*a%s%f(u(2))
  end subroutine
  subroutine compare(o, m, x)
    class(base), intent(in) :: o
    type(model), intent(in) :: m
    real(8), intent(inout) :: x
    logical :: l
    l = same_type_as(o, m%s)
    if (l) x = x*2
    if (extends_type_of(o, m%s)) x = x**2
    if (.not. same_type_as(o, m%s)) x = sin(x)
  end subroutine
  subroutine with_dummies(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(model) :: a
    type(big) :: b
    type(base) :: c
    allocate (a%s)
    v = u(1)
    call compare(b, a, v)
    call compare(c, a, v)
    deallocate (a%s)
    allocate (big :: a%s)
    call compare(b, a, v)
    call compare(c, a, v)
  end subroutine
end module
