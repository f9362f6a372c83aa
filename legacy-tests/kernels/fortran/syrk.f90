! c := beta c + alpha a a^T in the lower triangle (NPBench syrk).  Index order transposed: the first
! index here is the column.
!
! a stands twice in a product, and its elements are inputs.  True tape: 0 bytes.
subroutine syrk(n, m, alpha, beta, c, a)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: alpha, beta
  real(8), intent(inout) :: c(0:n-1, 0:n-1)
  real(8), intent(in) :: a(0:m-1, 0:n-1)
  integer :: i, j, k

  do i = 0, n-1
    do j = 0, i
      c(j,i) = beta * c(j,i)
    end do
    do k = 0, m-1
      do j = 0, i
        c(j,i) = c(j,i) + alpha * a(k,i) * a(k,j)
      end do
    end do
  end do
end subroutine syrk
