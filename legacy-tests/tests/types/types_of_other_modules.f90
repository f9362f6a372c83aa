module base_mod
  implicit none
  type, abstract :: solver
    real(8) :: a = 0.5d0
  contains
    procedure(step_i), deferred :: step
  end type
  abstract interface
    subroutine step_i(self, x)
      import :: solver
      class(solver), intent(inout) :: self
      real(8), intent(inout) :: x(:)
    end subroutine
  end interface
end module
module euler_mod
  use base_mod
  implicit none
  type, extends(solver) :: euler
    real(8) :: h = 0.1d0
  contains
    procedure :: step => euler_step
  end type
contains
  subroutine euler_step(self, x)
    class(euler), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    x = x + self%h*self%a*x**2
    self%h = self%h*x(1)
  end subroutine
end module
module model_mod
  use base_mod, only: solver
  implicit none
  type :: model
    class(solver), allocatable :: s
  end type
contains
  subroutine advance(this, x)
    class(model), intent(inout) :: this
    real(8), intent(inout) :: x(:)
    call this%s%step(x)
  end subroutine
  subroutine plain(s, x)
    class(solver), intent(inout) :: s
    real(8), intent(inout) :: x(:)
    call s%step(x)
  end subroutine
end module
module top_mod
  use model_mod
  use euler_mod
  implicit none
contains
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(model) :: m
    real(8) :: x(n)
    x = u
    allocate (euler :: m%s)
    m%s%a = u(1)
    call advance(m, x)
    v = sum(x)
  end subroutine
  subroutine head2(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(euler) :: e
    real(8) :: x(n)
    x = u
    e%a = u(1)
    call plain(e, x)
    v = sum(x)
  end subroutine
end module
