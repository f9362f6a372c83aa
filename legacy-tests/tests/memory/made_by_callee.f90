! memory of a record's component that a callee makes before anything in it is active
module wk4
  type work
    real(8) :: t(40)
    real(8), allocatable :: a(:)
  end type
contains
  subroutine prepare(k, n, z)
    type(work), intent(inout) :: k
    integer, intent(in) :: n
    real(8), allocatable, intent(inout) :: z(:)
    allocate(k%a(n))
    if (allocated(z)) deallocate(z)
    allocate(z(n))
    k%t = 0
    z = 1
  end subroutine
end module
subroutine f(n, x, y)
  use wk4
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(work) :: w
  real(8), allocatable :: z(:)
  integer :: i
  call prepare(w, n, z)
  do i = 1, n
    w%a(i) = x(i)**2*z(i)
    w%t(i) = w%t(i) + w%a(i)
    z(i) = z(i)*x(i)
  end do
  call prepare2()
  y = sum(w%t(1:n)*w%a)*sum(z)
contains
  subroutine prepare2()
    deallocate(z)
    allocate(z(n))
    z = 2
  end subroutine
end subroutine
