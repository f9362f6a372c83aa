! as work_of_module.f90, but one array is set under a condition only
module wk
  type work
    real(8) :: t(40)
    real(8), allocatable :: a(:), b(:,:)
    real(8) :: s
    integer :: n
  end type
  type(work), save :: w
  real(8), allocatable :: glob(:,:)
  real(8) :: big(80,80)
contains
  subroutine prepare(k, n)
    type(work), intent(inout) :: k
    integer, intent(in) :: n
    if (allocated(k%a)) deallocate(k%a)
    if (allocated(k%b)) deallocate(k%b)
    allocate(k%a(n), k%b(n,2))
    k%t = 0
    k%s = 1
    k%n = n
  end subroutine
  subroutine use_it(x)
    real(8), intent(in) :: x(:)
    integer :: i
    do i = 1, size(x)
      w%t(i) = w%t(i) + x(i)**2
      w%a(i) = x(i)*w%s
      w%b(i,:) = w%a(i)
      glob(i,1) = glob(i,2) + x(i)
      big(i,i+1) = big(i,i) + x(i)
    end do
    w%s = w%s*sum(w%a)
  end subroutine
end module
subroutine f(n, x, y)
  use wk
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y

  if (.not. allocated(glob)) allocate(glob(n,2))
  if (n > 3) glob = 0.5d0
  big = 0.25d0
  call prepare(w, n)
  call use_it(x)
  call use_it(x*x)
  y = w%s + sum(w%t(1:n)) + sum(w%b) + sum(glob**2) + sum(big(1:n,1:n+1)**2)
end subroutine
