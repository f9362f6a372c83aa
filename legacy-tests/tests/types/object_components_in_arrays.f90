module cells
  implicit none
  type :: gain
    real(8) :: g = 1.0d0
  contains
    procedure :: apply => gain_apply
  end type
  type, extends(gain) :: cubic
    real(8) :: c(3) = [0.1d0, 0.2d0, 0.3d0]
  contains
    procedure :: apply => cubic_apply
  end type
  type, extends(cubic) :: decaying
    real(8) :: tau = 2.0d0
  contains
    procedure :: apply => decaying_apply
  end type
  type :: cell
    class(gain), allocatable :: gain
    real(8) :: state = 0
  end type
  type :: network
    type(cell), allocatable :: cells(:)
    type(cell) :: last
  end type
contains
  subroutine gain_apply(self, x)
    class(gain), intent(inout) :: self
    real(8), intent(inout) :: x
    x = x*self%g
    self%g = self%g + 0.1d0*x
  end subroutine
  subroutine cubic_apply(self, x)
    class(cubic), intent(inout) :: self
    real(8), intent(inout) :: x
    x = x + self%c(1)*x**3 + self%c(2)
    self%c(3) = self%c(1)*x
    self%c(1) = self%c(3)*self%g
  end subroutine
  subroutine decaying_apply(self, x)
    class(decaying), intent(inout) :: self
    real(8), intent(inout) :: x
    x = x*exp(-self%g/self%tau)
    self%tau = self%tau + x**2
  end subroutine
  subroutine put(c, g)
    type(cell), intent(inout) :: c
    class(gain), intent(in) :: g
    if (allocated(c%gain)) then
      if (c%gain%g > 1.2d0) c%state = c%state + c%gain%g
      deallocate (c%gain)
    end if
    allocate (c%gain, source=g)
    c%gain%g = c%gain%g*c%state
  end subroutine
  subroutine use_gain(g, x)
    class(gain), intent(inout) :: g
    real(8), intent(inout) :: x
    call g%apply(x)
    select type (g)
    type is (cubic)
      x = x + sum(g%c)
    end select
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(network) :: net
    type(cubic) :: a
    type(decaying) :: b
    type(gain) :: c
    real(8) :: x
    integer :: i, k
    allocate (net%cells(n))
    a%c = u(1)*[0.1d0, 0.2d0, 0.3d0]
    b%tau = u(2)
    x = u(1)
    do k = 1, 3
      c%g = u(k)
      do i = 1, n
        net%cells(i)%state = u(i)*k
        select case (mod(i + k, 3))
        case (0)
          call put(net%cells(i), a)
        case (1)
          call put(net%cells(i), b)
        case (2)
          call put(net%cells(i), c)
        end select
        call net%cells(i)%gain%apply(x)
        call use_gain(net%cells(i)%gain, x)
        if (allocated(net%last%gain)) then
          x = x + net%last%gain%g
          call net%last%gain%apply(x)
        end if
        if (net%cells(i)%gain%g > 1) x = sin(x)*net%cells(i)%gain%g
      end do
      if (k == 2) net%last = net%cells(2)
      if (k == 1) allocate (net%last%gain, source=net%cells(1)%gain)
    end do
    v = x + net%last%state
    do i = 1, n
      v = v + net%cells(i)%gain%g*net%cells(i)%state
      select type (g => net%cells(i)%gain)
      class is (cubic)
        v = v + product(g%c)
      end select
    end do
  end subroutine
end module
