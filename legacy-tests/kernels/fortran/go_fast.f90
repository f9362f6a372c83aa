! out = a + sum_i tanh(a_ii), the sum added to every element (NPBench go_fast).  Index order
! transposed: the first index here is the column.
!
! tanh' = 1 - tanh^2 can be had again from a, an input.  True tape: 0 bytes.
subroutine go_fast(n, a, out)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(0:n-1, 0:n-1)
  real(8), intent(out) :: out(0:n-1, 0:n-1)
  real(8) :: trace
  integer :: i, j

  trace = 0.0d0
  do i = 0, n-1
    trace = trace + tanh(a(i,i))
  end do
  do i = 0, n-1
    do j = 0, n-1
      out(j,i) = a(j,i) + trace
    end do
  end do
end subroutine go_fast
