! Pointers that are initialised, and thereby saved, as is done everywhere to have them nullified: each
! call associates them before it asks them anything.
module m
  implicit none
  type :: grid
    integer :: n = 0
    real(8), pointer :: h(:) => null()
    real(8) :: area(9) = 2.0d0
  end type grid
  type :: control
    type(grid), pointer :: g => null()
    real(8) :: rate = 0.5d0
  end type control
contains
  subroutine step(cs, u, s, kind)
    type(control), intent(in), target :: cs
    real(8), intent(inout) :: u(:)
    real(8), intent(out) :: s
    integer, intent(in) :: kind
    type(grid), pointer :: g => null()
    real(8), pointer :: h(:) => null(), first => null()
    real(8), dimension(:), pointer, save :: other
    real(8), pointer :: work(:) => null()
    integer :: i
    g => cs%g
    if (kind > 1) then
      h => g%h
    else
      h(1:g%n) => g%h(g%n:1:-1)
    end if
    nullify (other)
    if (kind == 3) other => g%h
    first => g%h(2)
    allocate (work(0:g%n))
    s = 0.0d0
    work = 1.0d0
    do i = 1, g%n
      work(i) = u(i)*h(i)*cs%rate + work(i - 1)*first
      s = s + work(i)**2*g%area(i)
    end do
    if (associated(other)) s = s + other(2)*first
    if (associated(h, g%h)) s = s*h(1)
    u(1) = u(1)*s*0.1d0
    deallocate (work)
  end subroutine step
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(grid), target :: g
    real(8), target :: h(n)
    type(control), target :: cs
    real(8) :: u(n)
    real(8) :: s
    integer :: k
    g%n = n
    g%h => h
    h = x**2
    cs%g => g
    u = x
    y = 0.0d0
    do k = 1, 4
      call step(cs, u, s, mod(k, 4))
      y = y*0.5d0 + s
    end do
    y = y + u(1) + h(1)
  end subroutine head
end module m
