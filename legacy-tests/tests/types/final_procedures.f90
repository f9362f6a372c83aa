module fm
  implicit none
  integer :: live = 0
  type :: handle
    real(8) :: r = 1
    real(8), pointer :: memory(:) => null()
  contains
    final :: release
  end type
contains
  subroutine release(h)
    type(handle), intent(inout) :: h
    if (associated(h%memory)) deallocate (h%memory)
    live = live - 1
  end subroutine
  subroutine fill(h, n)
    type(handle), intent(inout) :: h
    integer, intent(in) :: n
    allocate (h%memory(n))
    h%memory = 2
    live = live + 1
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(handle) :: h
    call fill(h, n)
    v = sum(u**2)*h%memory(1)
  end subroutine
  subroutine head2(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(handle) :: h
    h%r = u(1)
    v = sum(u**2)*h%r
  end subroutine
  subroutine inner(h, u, v)
    type(handle), intent(inout) :: h
    real(8), intent(in) :: u
    real(8), intent(inout) :: v
    h%r = h%r + 1
    v = v*u*h%r
  end subroutine
  subroutine head3(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(handle) :: h
    integer :: i
    v = 1
    do i = 1, n
      call inner(h, u(i), v)
    end do
  end subroutine
end module
