! Explicit heat equation with seven points, ping-pong between a and b (NPBench heat_3d).  Index
! order transposed: the first index here is NPBench's last.
!
!   t = 1 .. tsteps-1:  b = a + 1/8 sum over the three axes of (a_{+1} - 2 a + a_{-1}),  then a from b,
!   for the interior.
!
! Linear: the adjoint keeps nothing.  True tape: 0 bytes.
subroutine heat_3d(tsteps, n, a, b)
  implicit none
  integer, intent(in) :: tsteps, n
  real(8), intent(inout) :: a(0:n-1, 0:n-1, 0:n-1), b(0:n-1, 0:n-1, 0:n-1)
  integer :: t, i, j, k

  do t = 1, tsteps-1
    do i = 1, n-2
      do j = 1, n-2
        do k = 1, n-2
          b(k,j,i) = a(k,j,i) &
            + 0.125d0 * (a(k,j,i+1) - 2.0d0 * a(k,j,i) + a(k,j,i-1)) &
            + 0.125d0 * (a(k,j+1,i) - 2.0d0 * a(k,j,i) + a(k,j-1,i)) &
            + 0.125d0 * (a(k+1,j,i) - 2.0d0 * a(k,j,i) + a(k-1,j,i))
        end do
      end do
    end do
    do i = 1, n-2
      do j = 1, n-2
        do k = 1, n-2
          a(k,j,i) = b(k,j,i) &
            + 0.125d0 * (b(k,j,i+1) - 2.0d0 * b(k,j,i) + b(k,j,i-1)) &
            + 0.125d0 * (b(k,j+1,i) - 2.0d0 * b(k,j,i) + b(k,j-1,i)) &
            + 0.125d0 * (b(k+1,j,i) - 2.0d0 * b(k,j,i) + b(k-1,j,i))
        end do
      end do
    end do
  end do
end subroutine heat_3d
