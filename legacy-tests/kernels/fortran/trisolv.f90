! Forward substitution for a lower triangular matrix (NPBench trisolv).  Index order transposed: the
! first index here is the column.
!
!   x_i = (b_i - sum_{j<i} l_ij x_j) / l_ii
!
! The quotient's derivative is written with its result, and every x_j that is read is final.
! True tape: 0 bytes.
subroutine trisolv(n, l, x, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: l(0:n-1, 0:n-1)
  real(8), intent(out) :: x(0:n-1)
  real(8), intent(in) :: b(0:n-1)
  integer :: i, j

  do i = 0, n-1
    x(i) = b(i)
    do j = 0, i-1
      x(i) = x(i) - l(j,i) * x(j)
    end do
    x(i) = x(i) / l(i,i)
  end do
end subroutine trisolv
