module c1m
  implicit none
  type, abstract :: model
    real(8) :: s = 1.0d0
  contains
    procedure(step_i), deferred :: step
    procedure :: scale
    procedure :: run
    procedure :: energy => model_energy
    generic :: operator(*) => times
    procedure, pass(b) :: times
  end type
  abstract interface
    subroutine step_i(self, x, dt)
      import :: model
      class(model), intent(inout) :: self
      real(8), intent(inout) :: x(:)
      real(8), intent(in) :: dt
    end subroutine
  end interface
  type, extends(model) :: linear
    real(8) :: a = 0.5d0
    real(8) :: w(2) = 0.0d0
  contains
    procedure :: step => lin_step
  end type
  type, extends(linear) :: damped
    real(8) :: c = 0.1d0
  contains
    procedure :: step => damp_step
    procedure :: energy => damp_energy
  end type
  type, extends(model) :: cubic
  contains
    procedure :: step => cub_step
  end type
contains
  subroutine scale(self, f)
    class(model), intent(inout) :: self
    real(8), intent(in) :: f
    self%s = self%s*f
  end subroutine
  function times(f, b) result(r)
    real(8), intent(in) :: f
    class(model), intent(in) :: b
    real(8) :: r
    r = f*b%s*b%energy()
  end function
  function model_energy(self) result(e)
    class(model), intent(in) :: self
    real(8) :: e
    e = self%s**2
    select type (self)
    type is (linear)
      e = e + self%a*self%w(1)
    class default
      e = e*2
    end select
  end function
  function damp_energy(self) result(e)
    class(damped), intent(in) :: self
    real(8) :: e
    e = self%linear%energy() + self%c**2*self%s
  end function
  subroutine lin_step(self, x, dt)
    class(linear), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: dt
    x = x + dt*self%a*x*self%s
    self%w(2) = self%w(1)
    self%w(1) = x(1)
  end subroutine
  subroutine damp_step(self, x, dt)
    class(damped), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: dt
    x = x - dt*self%c*x**2
    self%c = self%c*x(2)
  end subroutine
  subroutine cub_step(self, x, dt)
    class(cubic), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: dt
    x = x - dt*x**3*self%s
  end subroutine
  subroutine run(self, x, n, y)
    class(model), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: n
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, n
      y = y + self%energy()*x(i)
      if (y > 1.0d3) exit
      y = y + 0.5d0*self
    end do
  end subroutine
  subroutine drive(m, x, y)
    class(model), intent(inout) :: m
    real(8), intent(inout) :: x(:)
    real(8), intent(inout) :: y
    call m%scale(x(1))
    call m%run(x, 3, y)
    select type (q => m)
    class is (damped)
      q%c = q%c*x(2)
      y = y + q%c*q%a + q%energy()
    class is (linear)
      q%w(1) = x(1)*q%s
      y = y + q%w(1)**2
    type is (cubic)
      y = y*x(2)
    end select
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(linear) :: l
    type(damped) :: d
    type(cubic) :: c
    real(8) :: x(n)
    integer :: i
    l%a = u(1)
    d%c = u(2)
    d%w(1) = u(4)
    c%s = u(3)
    x = u
    v = 0
    do i = 1, 2
      call l%step(x, 0.1d0)
      call d%step(x, 0.1d0)
      call c%step(x, 0.1d0)
      call drive(l, x, v)
      call drive(d, x, v)
      call drive(c, x, v)
    end do
    v = v + sum(x) + l%energy() + d%energy() + u(1)*d
  end subroutine
end module
