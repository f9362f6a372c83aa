! c := beta c + alpha s b, s the symmetric matrix whose lower triangle is a's (NPBench symm).  Index
! order transposed: the first index here is the column.
!
! Elements of a above the diagonal are not read; their shadows stay.  Factors are inputs.
! True tape: 0 bytes.
subroutine symm(m, n, alpha, beta, c, a, b)
  implicit none
  integer, intent(in) :: m, n
  real(8), intent(in) :: alpha, beta
  real(8), intent(inout) :: c(0:n-1, 0:m-1)
  real(8), intent(in) :: a(0:m-1, 0:m-1), b(0:n-1, 0:m-1)
  real(8) :: t
  integer :: i, j, k

  do i = 0, m-1
    do j = 0, n-1
      c(j,i) = beta * c(j,i)
    end do
  end do
  do i = 0, m-1
    do j = 0, n-1
      t = 0.0d0
      do k = 0, i-1
        c(j,k) = c(j,k) + alpha * b(j,i) * a(k,i)
        t = t + b(j,k) * a(k,i)
      end do
      c(j,i) = c(j,i) + alpha * b(j,i) * a(i,i) + alpha * t
    end do
  end do
end subroutine symm
