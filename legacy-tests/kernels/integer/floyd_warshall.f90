! Shortest paths between all pairs, with whole lengths (NPBench floyd_warshall).
subroutine floyd_warshall(n, path)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: path(n,n)
  integer :: i, j, k

  do k = 1, n
    do i = 1, n
      do j = 1, n
        path(j,i) = min(path(j,i), path(k,i) + path(j,k))
      end do
    end do
  end do
end subroutine floyd_warshall
