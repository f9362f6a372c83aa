! C = B A for square matrices (A B in the row order of C); s is the sum of squares of C.
!
! A and B are inputs, C is final.  True tape: 0 bytes.
subroutine gemm_sq(n, a, b, c, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n,n), b(n,n)
  real(8), intent(inout) :: c(n,n)
  real(8), intent(out) :: s
  integer :: i, j, k

  c = 0.0d0
  do j = 1, n
    do k = 1, n
      do i = 1, n
        c(i,j) = c(i,j) + b(i,k) * a(k,j)
      end do
    end do
  end do
  s = 0.0d0
  do j = 1, n
    do i = 1, n
      s = s + c(i,j) * c(i,j)
    end do
  end do
end subroutine gemm_sq
