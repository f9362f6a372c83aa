! b := alpha (b + s^T b), s the strictly lower triangle of a, in place (NPBench trmm).  Index order
! transposed: the first index here is the column.
!
! A row is read before it is overwritten: the old b is needed, once.  True tape: 8 m n bytes.
subroutine trmm(m, n, alpha, a, b)
  implicit none
  integer, intent(in) :: m, n
  real(8), intent(in) :: alpha
  real(8), intent(in) :: a(0:m-1, 0:m-1)
  real(8), intent(inout) :: b(0:n-1, 0:m-1)
  integer :: i, j, k

  do i = 0, m-1
    do j = 0, n-1
      do k = i+1, m-1
        b(j,i) = b(j,i) + a(i,k) * b(j,k)
      end do
    end do
  end do
  do i = 0, m-1
    do j = 0, n-1
      b(j,i) = alpha * b(j,i)
    end do
  end do
end subroutine trmm
