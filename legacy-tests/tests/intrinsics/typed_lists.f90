module t
  integer, parameter :: wp = selected_real_kind(12), sp = kind(1.0)
  type realpair
    real(wp) :: a = 1, b = 2
  end type
contains
  subroutine names(n, y)
    integer, intent(in) :: n
    real(wp), intent(inout) :: y
    character(len=4) :: list(3)
    list = [character(len=4) :: 'a', 'bcd', 'ef']
    if (list(n) == 'ef') y = y*2
    if (any([character(len=5) :: 'one', 'three'] == list(1))) y = y*3
  end subroutine
end module
subroutine head(n, x, y)
  use t
  implicit none
  integer, intent(in) :: n
  real(wp), intent(in) :: x(n)
  real(wp), intent(out) :: y(6)
  integer :: i, j, k
  type(realpair) :: p(2)
  real(wp), allocatable :: l(:)
  complex(wp) :: z(2)
  real(wp), parameter :: tab(0:4) = [(1/(1-0.5_wp*k*k), k = 0, 4)]
  p = [realpair :: realpair(x(1), x(2)), realpair(x(2)*x(3))]
  y(1) = p(1)%a*p(2)%a + p(2)%b
  l = [real(wp) ::]
  do i = 1, n
    l = [l, x(i)]
  end do
  l = [real(kind=wp) :: l, x(1)**2]
  y(2) = sum(l)*x(1)
  z = [complex(wp) :: x(1), x(2)*(0,1)]
  y(3) = abs(z(1)*z(2))
  y(4) = sum([(x(j)*tab(j), j = 1, n)])
  y(5) = sum([real(wp) :: (j, j = 1, 3)]/2)*x(1)
  y(6) = x(2)*x(3)
  call names(n, y(6))
end subroutine
