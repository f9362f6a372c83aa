! Pearson's correlations of the columns of a table (NPBench correlation).
! Index order transposed: the first index here is the column of the table.
!
!   data := (data - mean) / (sqrt(n) std),  corr_ij = data_i . data_j, 1 on the diagonal;
!   a column whose std is at most 0.1 counts as one of std 1.
!
! The normalised data stay; the centred ones, of which std is made, are overwritten with them.  True tape:
! the centred data, std and its branches, 8 m n + 12 m bytes.
subroutine correlation(m, n, data, corr)
  implicit none
  integer, intent(in) :: m, n
  real(8), intent(inout) :: data(0:m-1, 0:n-1)
  real(8), intent(out) :: corr(0:m-1, 0:m-1)
  real(8) :: mean(0:m-1), std(0:m-1)
  integer :: i, j, k

  do j = 0, m-1
    mean(j) = 0.0d0
    std(j) = 0.0d0
  end do
  do k = 0, n-1
    do j = 0, m-1
      mean(j) = mean(j) + data(j,k) / n
    end do
  end do
  do k = 0, n-1
    do j = 0, m-1
      data(j,k) = data(j,k) - mean(j)
      std(j) = std(j) + data(j,k) * data(j,k) / n
    end do
  end do
  do j = 0, m-1
    std(j) = sqrt(std(j))
    if (std(j) <= 0.1d0) std(j) = 1.0d0
  end do
  do k = 0, n-1
    do j = 0, m-1
      data(j,k) = data(j,k) / (sqrt(1.0d0 * n) * std(j))
    end do
  end do
  do i = 0, m-1
    corr(i,i) = 1.0d0
    do j = i+1, m-1
      corr(j,i) = 0.0d0
      do k = 0, n-1
        corr(j,i) = corr(j,i) + data(i,k) * data(j,k)
      end do
      corr(i,j) = corr(j,i)
    end do
  end do
end subroutine correlation
