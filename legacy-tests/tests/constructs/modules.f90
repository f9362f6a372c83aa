! Programs with modules, types and interfaces.

module parts
  implicit none
  type :: leaf
    real :: r(2, 3) = 0.
    real :: f(5) = 0.
  contains
    procedure :: go => leaf_go
  end type leaf
  type :: t
    real :: x = 1.
    real :: y(3) = 2.
    real, allocatable :: q(:)
    type(leaf) :: list(3)
    real, pointer :: r(:) => null()
  contains
    procedure :: go => t_go
  end type t
  interface operator(.inv.)
    module procedure invert
  end interface
  interface operator(.dot.)
    module procedure dot
  end interface
  interface operator(+)
    module procedure plus
  end interface
contains
  subroutine leaf_go(self)
    class(leaf), intent(inout) :: self
    self%f = self%f + 1.
  end subroutine
  subroutine t_go(self, a, n)
    class(t), intent(inout) :: self
    real, intent(in) :: a
    integer, intent(in) :: n
    self%y(n) = self%y(n) + a
  end subroutine
  type(t) function invert(a)
    type(t), intent(in) :: a
    invert%x = 1. / a%x
  end function
  type(t) function dot(a, b)
    type(t), intent(in) :: a, b
    dot%x = a%x * b%x
  end function
  type(t) function plus(a, b)
    type(t), intent(in) :: a, b
    plus%x = a%x + b%x
  end function
end module parts

subroutine alloc(p, n)
  use parts
  type(t) :: p
  integer :: n, ierr
  real, allocatable :: a(:,:)
  character(:), allocatable :: c
  allocate (a(0:n, n), p%q(n), stat=ierr)
  allocate (character(len=n) :: c)
  print *, lbound(a), ubound(a), size(p%q), ierr, len(c)
  deallocate (a)
  allocate (a(n,n), source=0.5)
  p%x = sum(a)
  deallocate (a, p%q)
  nullify (p%r)
end subroutine

subroutine associate_block(p)
  use parts
  type(t) :: p
  associate (q => p%x, r => p%y(1) + 2)
    q = r
  end associate
  block
    real :: w
    w = 1.
    p%y(2) = w
  end block
end subroutine

subroutine dt_chain(p)
  use parts
  type(t) p
  p%list(1)%f(2) = 7.
  p%list(3)%r(1:2,:) = p % list(1) % f(2)
end subroutine

subroutine user_op(a,b,r)
  use parts
  type(t) a,b,r
  r = .inv. a .dot. b + a
end subroutine

module interface_generic
  implicit none
  interface f
    module procedure f1, f2
  end interface f
  interface operator(.x.)
    procedure g
  end interface
  interface assignment(=)
    module procedure h
  end interface
contains
  real function f1(a)
    real, intent(in) :: a
    f1 = a + 1.
  end function
  real function f2(k)
    integer, intent(in) :: k
    f2 = k - 1.
  end function
  real function g(a, b)
    real, intent(in) :: a, b
    g = a * b
  end function
  subroutine h(a, l)
    real, intent(out) :: a
    logical, intent(in) :: l
    a = merge(10., -10., l)
  end subroutine
end module

subroutine generics(a, k)
  use interface_generic
  real a
  integer k
  a = f(a) + f(k) .x. a
  if (k > 2) a = k < 4
end subroutine

module outer_part
  implicit none
  real :: x = 0.
  interface
    module subroutine inner(a)
      real, intent(inout) :: a
    end subroutine
  end interface
end module outer_part

submodule (outer_part) inner_part
contains
  module procedure inner
    x = x + 1.
    a = a * x
  end procedure inner
end submodule inner_part

module type_def_oo
  implicit none
  type, abstract :: base
    real, allocatable :: x(:)
    procedure(fi), pointer, nopass :: f => null()
  contains
    private
    procedure(ifc), deferred, public :: go
    procedure, pass(self) :: two => b_two
    generic, public :: operator(+) => two
  end type base
  type, extends(base) :: child
    real :: y = 3.
  contains
    procedure :: go => child_go
    final :: fin
  end type child
  abstract interface
    subroutine ifc(self)
      import :: base
      class(base), intent(inout) :: self
    end subroutine
    real function fi(x)
      real, intent(in) :: x
    end function
  end interface
contains
  real function b_two(self, other)
    class(base), intent(in) :: self, other
    b_two = sum(self%x) + sum(other%x)
  end function
  subroutine child_go(self)
    class(child), intent(inout) :: self
    self%y = self%y + (self + self)
  end subroutine
  subroutine fin(self)
    type(child), intent(inout) :: self
    print *, 'end of', self%y
  end subroutine
end module type_def_oo

module whole_arrays
contains
  subroutine typed_proc_call(p)
    use parts
    class(t) :: p
    call p%go(1.0, n=3)
    call p%list(2)%go
  end subroutine

  subroutine where_block(a,m)
    real a(:)
    logical m(:)
    where (m)
      a = 0.
    elsewhere (a > 1.)
      a = 1.
    elsewhere
      a = 2.
    end where
    where (m) a = 3.
  end subroutine

  subroutine ptr_assign(p, t)
    real, pointer :: p(:), q(:,:)
    real, target :: t(100)
    p => t(1:10)
    q(1:10,1:10) => t
    p(2) = q(3,4)
    q(5,6) = -p(1)
    p => null()
  end subroutine
end module
