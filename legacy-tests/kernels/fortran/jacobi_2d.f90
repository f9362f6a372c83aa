! Five-point average, ping-pong between a and b (NPBench jacobi_2d).  Index order transposed:
! the first index here is NPBench's last.
!
!   t = 1 .. tsteps-1:  b_ij = 0.2 (a_ij + a_i,j-1 + a_i,j+1 + a_i+1,j + a_i-1,j),  then a from b,
!   for the interior.
!
! Linear: the adjoint keeps nothing.  True tape: 0 bytes.
subroutine jacobi_2d(tsteps, n, a, b)
  implicit none
  integer, intent(in) :: tsteps, n
  real(8), intent(inout) :: a(0:n-1, 0:n-1), b(0:n-1, 0:n-1)
  integer :: t, i, j

  do t = 1, tsteps-1
    do i = 1, n-2
      do j = 1, n-2
        b(j,i) = 0.2d0 * (a(j,i) + a(j-1,i) + a(j+1,i) + a(j,i+1) + a(j,i-1))
      end do
    end do
    do i = 1, n-2
      do j = 1, n-2
        a(j,i) = 0.2d0 * (b(j,i) + b(j-1,i) + b(j+1,i) + b(j,i+1) + b(j,i-1))
      end do
    end do
  end do
end subroutine jacobi_2d
