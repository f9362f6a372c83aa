! c := beta c + alpha (a b^T + b a^T) in the lower triangle (NPBench syr2k).  Index order transposed:
! the first index here is the column.
!
! Factors are inputs.  True tape: 0 bytes.
subroutine syr2k(n, m, alpha, beta, c, a, b)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: alpha, beta
  real(8), intent(inout) :: c(0:n-1, 0:n-1)
  real(8), intent(in) :: a(0:m-1, 0:n-1), b(0:m-1, 0:n-1)
  integer :: i, j, k

  do i = 0, n-1
    do j = 0, i
      c(j,i) = beta * c(j,i)
    end do
    do k = 0, m-1
      do j = 0, i
        c(j,i) = c(j,i) + a(k,j) * alpha * b(k,i) + b(k,j) * alpha * a(k,i)
      end do
    end do
  end do
end subroutine syr2k
