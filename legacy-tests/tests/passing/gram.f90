subroutine dot(n, a, b, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b(n)
  real(8), intent(inout) :: s
  integer :: i
  do i = 1, n
    s = s + a(i)*b(i)*b(i)
  end do
end subroutine
subroutine head(n, x, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n,n)
  real(8), intent(out) :: f
  integer :: i, j
  f = 0
  do j = 1, n
    do i = 1, n
      call dot(n, x(1,i), x(1,j), f)
    end do
  end do
end subroutine
