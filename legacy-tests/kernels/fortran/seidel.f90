! nt Gauss-Seidel sweeps of the nine-point mean over an n x n grid, in place; s is the sum of
! squares of the result.
!
! Linear up to the squares of the final a.  True tape: 0 bytes.
subroutine seidel(n, nt, a, s)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: a(n,n)
  real(8), intent(out) :: s
  integer :: t, i, j

  do t = 1, nt
    do j = 2, n-1
      do i = 2, n-1
        a(i,j) = (a(i-1,j-1) + a(i,j-1) + a(i+1,j-1) &
                  + a(i-1,j) + a(i,j) + a(i+1,j) &
                  + a(i-1,j+1) + a(i,j+1) + a(i+1,j+1)) / 9.0d0
      end do
    end do
  end do
  s = 0.0d0
  do j = 1, n
    do i = 1, n
      s = s + a(i,j) * a(i,j)
    end do
  end do
end subroutine seidel
