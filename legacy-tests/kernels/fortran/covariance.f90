! Covariances of the columns of a table (NPBench covariance).
! Index order transposed: the first index here is the column of the table.
!
!   data := data - mean,  cov_ij = cov_ji = data_i . data_j / (n - 1)
!
! What is needed are the centred data, which stay.  True tape: 0 bytes.
subroutine covariance(m, n, data, cov)
  implicit none
  integer, intent(in) :: m, n
  real(8), intent(inout) :: data(0:m-1, 0:n-1)
  real(8), intent(out) :: cov(0:m-1, 0:m-1)
  real(8) :: mean(0:m-1)
  integer :: i, j, k

  do j = 0, m-1
    mean(j) = 0.0d0
  end do
  do k = 0, n-1
    do j = 0, m-1
      mean(j) = mean(j) + data(j,k) / n
    end do
  end do
  do k = 0, n-1
    do j = 0, m-1
      data(j,k) = data(j,k) - mean(j)
    end do
  end do
  do i = 0, m-1
    do j = i, m-1
      cov(j,i) = 0.0d0
      do k = 0, n-1
        cov(j,i) = cov(j,i) + data(i,k) * data(j,k)
      end do
      cov(j,i) = cov(j,i) / (n - 1.0d0)
      cov(i,j) = cov(j,i)
    end do
  end do
end subroutine covariance
