! Shortest paths between all pairs, with real lengths (NPBench floyd_warshall, which has integers).
! Index order transposed: the first index here is the column.
!
! Each minimum is a decision that the backward sweep needs: n^3 of them.
subroutine floyd_warshall(n, path)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: path(0:n-1, 0:n-1)
  integer :: i, j, k

  do k = 0, n-1
    do i = 0, n-1
      do j = 0, n-1
        path(j,i) = min(path(j,i), path(k,i) + path(j,k))
      end do
    end do
  end do
end subroutine floyd_warshall
