! Softmax of each row (NPBench softmax, in double precision; its leading dimensions are one here).
! Index order transposed: the first index here is NPBench's last.
!
!   out_j = exp(x_j - max x) / sum_k exp(x_k - max x)
!
! Kept are the running maximum and the sum of each row, 8 n (m + 1) bytes.
subroutine softmax(n, m, x, out)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(0:m-1, 0:n-1)
  real(8), intent(out) :: out(0:m-1, 0:n-1)
  real(8) :: e(0:m-1, 0:n-1), most, total
  integer :: i, j

  do i = 0, n-1
    most = x(0,i)
    do j = 1, m-1
      most = max(most, x(j,i))
    end do
    total = 0.0d0
    do j = 0, m-1
      e(j,i) = exp(x(j,i) - most)
      total = total + e(j,i)
    end do
    do j = 0, m-1
      out(j,i) = e(j,i) / total
    end do
  end do
end subroutine softmax
