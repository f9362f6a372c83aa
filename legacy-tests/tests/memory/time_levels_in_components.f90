! Shallow water with two time levels in allocatable components, exchanged by move_alloc.
module grid_m
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: field
    real(dp), allocatable :: h(:), u(:)
  end type
  type :: model
    type(field) :: now, next
    real(dp) :: dt = 0.01_dp, g = 9.81_dp
    integer :: n = 0
  end type
contains
  subroutine init(m, n, h0)
    type(model), intent(inout) :: m
    integer, intent(in) :: n
    real(dp), intent(in) :: h0(n)
    m%n = n
    if (allocated(m%now%h)) deallocate(m%now%h, m%now%u, m%next%h, m%next%u)
    allocate(m%now%h(n), m%now%u(n), m%next%h(n), m%next%u(n))
    m%now%h = h0 + 1
    m%now%u = 0
  end subroutine
  pure real(dp) function flux(h, u) result(f)
    real(dp), intent(in) :: h, u
    f = h*u
    if (f > 100) f = 100 + log(f-99)
  end function
  subroutine step(m)
    type(model), intent(inout), target :: m
    integer :: i, ip, im
    associate (h => m%now%h, u => m%now%u)
      do i = 1, m%n
        ip = mod(i, m%n) + 1
        im = mod(i+m%n-2, m%n) + 1
        m%next%h(i) = h(i) - m%dt*(flux(h(ip), u(ip)) - flux(h(im), u(im)))/2
        m%next%u(i) = u(i) - m%dt*m%g*(h(ip) - h(im))/2 - m%dt*u(i)*abs(u(i))
      end do
    end associate
    call swap(m)
  end subroutine
  subroutine swap(m)
    type(model), intent(inout) :: m
    real(dp), allocatable :: t(:)
    call move_alloc(m%now%h, t)
    call move_alloc(m%next%h, m%now%h)
    call move_alloc(t, m%next%h)
    call move_alloc(m%now%u, t)
    call move_alloc(m%next%u, m%now%u)
    call move_alloc(t, m%next%u)
  end subroutine
end module
subroutine drive(n, x, y)
  use grid_m
  implicit none
  integer, intent(in) :: n
  real(dp), intent(in) :: x(n)
  real(dp), intent(out) :: y
  type(model) :: m
  integer :: it
  call init(m, n, x)
  do it = 1, 20
    call step(m)
    if (maxval(abs(m%now%u)) > 1e3_dp) exit
  end do
  y = sum(m%now%h**2) + sum(m%now%u**3)
end subroutine
