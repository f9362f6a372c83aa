module sm
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
  type, extends(solver) :: euler
    real(8) :: h = 0.1d0
  contains
    procedure :: step => euler_step
  end type
  type, extends(solver) :: cubic
    real(8) :: w(2) = [0.1d0, 0.2d0]
  contains
    procedure :: step => cubic_step
  end type
  type :: model
    integer :: n = 0
    class(solver), allocatable :: s
  contains
    procedure :: advance
  end type
contains
  subroutine euler_step(self, x)
    class(euler), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    x = x + self%h*self%a*x**2
    self%h = self%h*x(1)
  end subroutine
  subroutine cubic_step(self, x)
    class(cubic), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    x = x - self%w(1)*x**3*self%a
    self%w(2) = self%w(1)*x(2)
    self%w(1) = self%w(1) + self%w(2)
  end subroutine
  subroutine advance(this, x, n)
    class(model), intent(inout) :: this
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call this%s%step(x)
      this%n = this%n + 1
    end do
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(model) :: m, k
    real(8) :: x(n)
    x = u
    allocate (euler :: m%s)
    allocate (cubic :: k%s)
    m%s%a = u(1)
    k%s%a = u(2)
    call m%advance(x, 2)
    call k%advance(x, 3)
    call m%s%step(x)
    v = sum(x) + m%s%a
  end subroutine
end module
