module reactions
  implicit none
  type, abstract :: law
    real(8) :: k = 0.5d0
  contains
    procedure(rate_i), deferred :: rate
    procedure :: adapt
    procedure(change_i), deferred :: change
    generic :: scaled => scaled_by, scaled_by_number
    procedure :: scaled_by, scaled_by_number
  end type
  abstract interface
    function rate_i(self, x) result(r)
      import :: law
      class(law), intent(in) :: self
      real(8), intent(in) :: x(:)
      real(8) :: r
    end function
    subroutine change_i(self, x)
      import :: law
      class(law), intent(inout) :: self
      real(8), intent(inout) :: x(:)
    end subroutine
  end interface
  type, extends(law) :: linear
    real(8) :: order = 1.0d0
  contains
    procedure :: rate => linear_rate
    procedure :: change => linear_change
  end type
  type, extends(linear) :: shifted
    real(8), allocatable :: shifts(:)
  contains
    procedure :: rate => shifted_rate
    procedure :: change => shifted_change
  end type
  type, extends(law) :: saturated
    real(8) :: w(2) = [0.1d0, 0.2d0]
    integer :: calls = 0
  contains
    procedure :: rate => saturated_rate
    procedure :: change => saturated_change
  end type
  type :: limiter
    real(8) :: top = 3.0d0
  end type
  type, extends(limiter) :: smooth
    real(8) :: width = 0.7d0
  end type
  type :: reactor
    class(law), allocatable :: law
    class(limiter), allocatable :: limiter
    real(8) :: volume = 1.0d0
    real(8), allocatable :: history(:)
  end type
  type, extends(reactor) :: stirred
    type(reactor) :: inner
  end type
contains
  function linear_rate(self, x) result(r)
    class(linear), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8) :: r
    r = self%k*sum(x)**2*self%order
  end function
  function shifted_rate(self, x) result(r)
    class(shifted), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8) :: r
    r = self%linear%rate(x) + sum(self%shifts)*self%k
  end function
  function saturated_rate(self, x) result(r)
    class(saturated), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8) :: r
    r = self%k*x(1)/(1 + self%w(1)*x(2)**2)
  end function
  subroutine linear_change(self, x)
    class(linear), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    self%order = self%order*(1 + 0.1d0*x(1))
    x(2) = x(2)*self%order
  end subroutine
  subroutine shifted_change(self, x)
    class(shifted), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    self%shifts = self%shifts*x(1) + 0.1d0
    x(1) = x(1) + self%shifts(2)
  end subroutine
  subroutine saturated_change(self, x)
    class(saturated), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    self%calls = self%calls + 1
    self%w(2) = self%w(1)*x(2)
    self%w(1) = sin(self%w(2) + self%calls)
  end subroutine
  subroutine adapt(self, f)
    class(law), intent(inout) :: self
    real(8), intent(in) :: f
    self%k = self%k*f
  end subroutine
  function scaled_by(self, x) result(r)
    class(law), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8) :: r
    r = self%k*sum(x)
  end function
  function scaled_by_number(self, x) result(r)
    class(law), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: r
    r = self%k*x**2
  end function
  subroutine choose(r, i, u)
    type(reactor), intent(inout) :: r
    integer, intent(in) :: i
    real(8), intent(in) :: u(:)
    if (allocated(r%law)) deallocate (r%law)
    select case (mod(i, 3))
    case (0)
      allocate (linear :: r%law)
    case (1)
      allocate (shifted :: r%law)
    case default
      allocate (saturated :: r%law)
    end select
    r%law%k = u(i)
    select type (l => r%law)
    type is (shifted)
      allocate (l%shifts(2))
      l%shifts = u(1:2)*r%law%k
    class is (linear)
      l%order = 1 + u(2)**2
    class default
      call l%adapt(u(3))
    end select
  end subroutine
  subroutine limit(r, y)
    class(reactor), intent(in) :: r
    real(8), intent(inout) :: y
    if (.not. allocated(r%limiter)) return
    if (y > r%limiter%top) then
      y = r%limiter%top*sqrt(y/r%limiter%top)
    end if
    select type (l => r%limiter)
    type is (smooth)
      y = y + l%width*sin(y)
    end select
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(reactor) :: r
    type(stirred) :: s
    real(8) :: x(n)
    integer :: i, j
    x = u
    v = 0
    allocate (smooth :: s%inner%limiter)
    allocate (saturated :: s%law)
    s%law%k = u(2)**2
    do i = 1, n
      call choose(r, i, u)
      if (i == 2) then
        allocate (limiter :: r%limiter)
        r%limiter%top = u(3)
      end if
      do j = 1, 2
        v = v + r%law%rate(x) + s%law%rate(x)*r%law%scaled(x(2))
        call r%law%change(x)
        call s%law%change(x)
        if (r%law%k > 0.6d0) v = v*r%law%scaled(x)
      end do
      call r%law%adapt(v)
      call limit(r, v)
      call limit(s, v)
      call limit(s%inner, v)
      x(1) = sin(v)
    end do
    v = v + r%law%k*s%law%k
  end subroutine
end module
