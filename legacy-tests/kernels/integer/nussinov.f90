! Most pairs of bases that a folded sequence can have (NPBench nussinov).
subroutine nussinov(n, seq, table)
  implicit none
  integer, intent(in) :: n
  integer, intent(in) :: seq(n)
  integer, intent(out) :: table(n,n)
  integer :: i, j, k, pair

  table = 0
  do i = n - 1, 1, -1
    do j = i + 1, n
      table(j,i) = max(table(j,i), table(j-1,i), table(j,i+1))
      pair = 0
      if (i < j - 1 .and. seq(i) + seq(j) == 3) pair = 1
      table(j,i) = max(table(j,i), table(j-1,i+1) + pair)
      do k = i + 1, j - 1
        table(j,i) = max(table(j,i), table(k,i) + table(j,k+1))
      end do
    end do
  end do
end subroutine nussinov
