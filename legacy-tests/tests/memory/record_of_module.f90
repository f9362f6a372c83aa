! a record of a module, with memory, that the head has no name for
module store
  implicit none
  real(8), allocatable :: u(:), v(:)
  type grid
    integer :: n
    real(8), allocatable :: h(:)
  end type
  type(grid) :: g
contains
  subroutine open_store(n)
    integer, intent(in) :: n
    if (.not. allocated(u)) allocate(u(n))
    if (.not. allocated(v)) call open_v(n)
    if (allocated(g%h)) deallocate(g%h)
    u = 0
    v(:) = 1
    call make(g)
    g%n = n
  contains
    subroutine make(gg)
      type(grid), intent(inout) :: gg
      allocate(gg%h(n))
      gg%h = 0.1d0
    end subroutine
  end subroutine
  subroutine open_v(n)
    integer, intent(in) :: n
    allocate(v(n))
  end subroutine
  subroutine step(x)
    real(8), intent(in) :: x(:)
    u = u + x*v*g%h
    v = v*x
    g%h = g%h + u**2
  end subroutine
  subroutine close_store(y)
    real(8), intent(out) :: y
    y = sum(u*v)/sum(g%h)
    deallocate(u)
    if (allocated(v)) deallocate(v)
    deallocate(g%h)
  end subroutine
end module
subroutine f(n, x, y)
  use store, only: open_store, step, close_store
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  call open_store(n)
  call step(x)
  call step(2*x)
  call close_store(y)
end subroutine
