! y = alpha A x + beta B x (NPBench gesummv).  Index order transposed: the first index here is the
! column.
!
! Products of inputs only.  True tape: 0 bytes.
subroutine gesummv(n, alpha, beta, a, b, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: alpha, beta
  real(8), intent(in) :: a(0:n-1, 0:n-1), b(0:n-1, 0:n-1), x(0:n-1)
  real(8), intent(out) :: y(0:n-1)
  integer :: i, j

  do i = 0, n-1
    y(i) = 0.0d0
    do j = 0, n-1
      y(i) = y(i) + (alpha * a(j,i) * x(j) + beta * b(j,i) * x(j))
    end do
  end do
end subroutine gesummv
