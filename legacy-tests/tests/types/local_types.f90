! Types that a procedure declares for itself.
subroutine head(n, u, v)
  implicit none
  integer, intent(in) :: n
  type :: part
    real(8) :: a, w(2)
  end type part
  type whole
    type(part) :: parts(2)
    integer :: k
  end type
  real(8), intent(in) :: u(n)
  real(8), intent(out) :: v(n)
  type(whole) :: x
  type(part), allocatable :: list(:)
  integer :: i
  allocate (list(n))
  do i = 1, n
    list(i)%a = u(i)*u(i)
    list(i)%w = [u(i), sin(u(i))]
    x%k = i
    x%parts(1) = list(i)
    x%parts(2)%a = x%parts(1)%w(2)*u(1)
    v(i) = x%parts(2)%a*x%k + list(i)%a
  end do
end subroutine
