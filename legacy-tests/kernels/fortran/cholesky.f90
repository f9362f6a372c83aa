! Cholesky factorisation of a symmetric positive definite matrix, in place, row by row
! (NPBench cholesky); only the lower triangle is touched.  Index order transposed: the first index
! here is the column.
!
!   j < i:  a_ij = (a_ij - sum_{k<j} a_ik a_jk) / a_jj;   a_ii = sqrt(a_ii - sum_{k<i} a_ik^2)
!
! Quotient and root are differentiated by their results, every factor that is read is final.
! True tape: 0 bytes.
subroutine cholesky(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(0:n-1, 0:n-1)
  integer :: i, j, k

  do i = 0, n-1
    do j = 0, i-1
      do k = 0, j-1
        a(j,i) = a(j,i) - a(k,i) * a(k,j)
      end do
      a(j,i) = a(j,i) / a(j,j)
    end do
    do k = 0, i-1
      a(i,i) = a(i,i) - a(k,i) * a(k,i)
    end do
    a(i,i) = sqrt(a(i,i))
  end do
end subroutine cholesky
