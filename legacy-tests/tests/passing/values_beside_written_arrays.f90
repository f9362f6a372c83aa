subroutine axpy(n, s, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: s, a(n)
  real(8), intent(inout) :: b(n)
  b = b + s*a*a
end subroutine
subroutine head(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n,n)
  integer :: i, j
  do j = 1, n - 1
    do i = j + 1, n
      call axpy(n, x(j,i)*1d0, x(1,j), x(1,i))
      call axpy(n, (x(j,i)), x(1,j), x(1,i))
    end do
  end do
end subroutine
