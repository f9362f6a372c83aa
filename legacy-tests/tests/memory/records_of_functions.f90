module em
  implicit none
  type :: model
    real(8), allocatable :: s(:)
    real(8) :: x = 1
  end type
contains
  function made(u, i) result(m)
    real(8), intent(in) :: u(:)
    integer, intent(in) :: i
    type(model) :: m
    allocate (m%s(i + 1))
    m%s = u(i)
    m%x = u(1)
  end function
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(model) :: m
    integer :: i
    v = 1
    do i = 1, 2
      m = made(u, i)
      v = sin(v) + sum(m%s)*m%x*v
    end do
  end subroutine
end module
