module dm
  implicit none
  type :: base
    real(8) :: k = 1.0d0
    real(8) :: w(3) = 0.5d0
    integer :: n = 2
  contains
    procedure :: f => base_f
  end type
  type, extends(base) :: big
    real(8), allocatable :: z(:)
    real(8) :: e = 0.3d0
  contains
    procedure :: f => big_f
  end type
  type :: model
    class(base), allocatable :: s
    real(8) :: x(3) = 1
  end type
contains
  function base_f(self, x) result(r)
    class(base), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: r
    r = self%k*x + sum(self%w)
  end function
  function big_f(self, x) result(r)
    class(big), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: r
    r = self%k*x**2 + self%e*sum(self%z)
  end function
  subroutine modify(a, b)
    real(8), intent(inout) :: a
    real(8), intent(inout) :: b(:)
    a = a*b(1)
    b = b + a
  end subroutine
  subroutine both(m, s, y)
    type(model), intent(inout) :: m
    class(base), intent(in) :: s
    real(8), intent(inout) :: y
    y = y + s%f(m%x(1)) + s%w(2)
    m%x = m%x*y
  end subroutine
  function made(u, i) result(m)
    real(8), intent(in) :: u(:)
    integer, intent(in) :: i
    type(model) :: m
    if (i == 1) then
      allocate (big :: m%s)
      select type (b => m%s)
      type is (big)
        allocate (b%z(size(u)))
        b%z = u**2
      end select
    else
      allocate (m%s)
    end if
    m%s%k = u(i)
    m%s%w(2) = u(1)
    m%x = u(i)
  end function
  subroutine work(m, v, stop_at)
    type(model), intent(inout) :: m
    real(8), intent(inout) :: v
    integer, intent(in) :: stop_at
    integer :: j
    j = 0
    do while (m%s%k > 0.1d0)
      m%s%k = m%s%k*0.6d0
      j = j + 1
      if (j == stop_at) return
      do j = j, m%s%n
        v = v + m%s%w(j)*m%s%f(v)
      end do
      if (j > 9) then
        v = 0
      else if (m%s%f(m%x(2)) > 0.5d0) then
        v = v + dot_product(m%x, m%s%w) + maxval(m%s%w*v)
      end if
      select case (m%s%n)
      case (2)
        call modify(m%s%k, m%s%w)
        m%s%n = 3
      case default
        m%s%w(m%s%n) = v*m%s%w(1)
      end select
    end do
    v = v*merge(m%s%k, m%s%w(3), m%s%n == 3)
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(model) :: m, k
    integer :: i, l
    v = 1
    do i = 1, 2
      m = made(u, i)
      call work(m, v, 7)
      k = m
      call both(k, m%s, v)
      call both(m, k%s, v)
      v = sin(v) + sum(k%x*m%s%w)
      call work(k, v, 2)
      forall (l = 1:3) m%x(l) = u(l)*k%s%w(l)
      v = v + sum(m%x)*k%s%k
    end do
  end subroutine
end module
