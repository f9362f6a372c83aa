! Gauss-Seidel sweeps with nine points, in place (NPBench seidel_2d).  Index order transposed: the
! first index here is NPBench's last.
!
!   t = 0 .. tsteps-2, i = 1 .. n-2:  first the seven neighbours that the row update may read at once
!   are added to a_ij (ascending j: a_i,j+1 is still old), then a_ij = (a_ij + a_i,j-1) / 9.
!
! Linear, though each value is read and then overwritten.  True tape: 0 bytes.
subroutine seidel_2d(tsteps, n, a)
  implicit none
  integer, intent(in) :: tsteps, n
  real(8), intent(inout) :: a(0:n-1, 0:n-1)
  integer :: t, i, j

  do t = 0, tsteps-2
    do i = 1, n-2
      do j = 1, n-2
        a(j,i) = a(j,i) + (a(j-1,i-1) + a(j,i-1) + a(j+1,i-1) + a(j+1,i) &
                           + a(j-1,i+1) + a(j,i+1) + a(j+1,i+1))
      end do
      do j = 1, n-2
        a(j,i) = (a(j,i) + a(j-1,i)) / 9.0d0
      end do
    end do
  end do
end subroutine seidel_2d
