! LU factorisation without pivoting, in place (NPBench lu).  Index order transposed: the first index
! here is the column.
!
!   j < i:   a_ij = (a_ij - sum_{k<j} a_ik a_kj) / a_jj
!   j >= i:  a_ij =  a_ij - sum_{k<i} a_ik a_kj
!
! The quotient is differentiated by its result, every factor that is read is final.
! True tape: 0 bytes.
subroutine lu(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(0:n-1, 0:n-1)
  integer :: i, j, k

  do i = 0, n-1
    do j = 0, i-1
      do k = 0, j-1
        a(j,i) = a(j,i) - a(k,i) * a(j,k)
      end do
      a(j,i) = a(j,i) / a(j,j)
    end do
    do j = i, n-1
      do k = 0, i-1
        a(j,i) = a(j,i) - a(k,i) * a(j,k)
      end do
    end do
  end do
end subroutine lu
