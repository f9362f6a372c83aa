! y = a x, a in compressed rows (NPBench spmv).
!
! Linear in the values of a and in x; the structure is read again.  True tape: 0 bytes.
subroutine spmv(m, n, nnz, row, col, val, x, y)
  implicit none
  integer, intent(in) :: m, n, nnz
  integer, intent(in) :: row(0:m), col(0:nnz-1)
  real(8), intent(in) :: val(0:nnz-1), x(0:n-1)
  real(8), intent(out) :: y(0:m-1)
  integer :: i, k, last

  do i = 0, m-1
    y(i) = 0.0d0
    last = row(i+1) - 1
    do k = row(i), last
      y(i) = y(i) + val(k) * x(col(k))
    end do
  end do
end subroutine spmv
