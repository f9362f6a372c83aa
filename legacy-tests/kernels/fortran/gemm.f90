! C = alpha A B + beta C (NPBench gemm), A is ni x nk, B is nk x nj.  Index order transposed: the
! first index here is the column.
!
! A and B are inputs, and the factors alpha and beta are no independents.  True tape: 0 bytes.
subroutine gemm(ni, nj, nk, alpha, beta, c, a, b)
  implicit none
  integer, intent(in) :: ni, nj, nk
  real(8), intent(in) :: alpha, beta
  real(8), intent(inout) :: c(0:nj-1, 0:ni-1)
  real(8), intent(in) :: a(0:nk-1, 0:ni-1), b(0:nj-1, 0:nk-1)
  integer :: i, j, k

  do i = 0, ni-1
    do j = 0, nj-1
      c(j,i) = beta * c(j,i)
    end do
    do k = 0, nk-1
      do j = 0, nj-1
        c(j,i) = c(j,i) + alpha * a(k,i) * b(j,k)
      end do
    end do
  end do
end subroutine gemm
