! Maxwell's equations on a staggered grid, in place (NPBench fdtd_2d).  Index order transposed: the
! first index here is NPBench's last.
!
!   each t:  ey_0j = fict_t;  ey_ij -= 1/2 (hz_ij - hz_{i-1,j});  ex_ij -= 1/2 (hz_ij - hz_{i,j-1});
!            hz_ij -= 7/10 (ex_{i,j+1} - ex_ij + ey_{i+1,j} - ey_ij)
!
! Linear; row 0 of ey is overwritten in each step, which ends its adjoint there.
! True tape: 0 bytes.
subroutine fdtd_2d(tmax, nx, ny, ex, ey, hz, fict)
  implicit none
  integer, intent(in) :: tmax, nx, ny
  real(8), intent(inout) :: ex(0:ny-1, 0:nx-1), ey(0:ny-1, 0:nx-1), hz(0:ny-1, 0:nx-1)
  real(8), intent(in) :: fict(0:tmax-1)
  integer :: t, i, j

  do t = 0, tmax-1
    do j = 0, ny-1
      ey(j,0) = fict(t)
    end do
    do i = 1, nx-1
      do j = 0, ny-1
        ey(j,i) = ey(j,i) - 0.5d0 * (hz(j,i) - hz(j,i-1))
      end do
    end do
    do i = 0, nx-1
      do j = 1, ny-1
        ex(j,i) = ex(j,i) - 0.5d0 * (hz(j,i) - hz(j-1,i))
      end do
    end do
    do i = 0, nx-2
      do j = 0, ny-2
        hz(j,i) = hz(j,i) - 0.7d0 * (ex(j+1,i) - ex(j,i) + ey(j,i+1) - ey(j,i))
      end do
    end do
  end do
end subroutine fdtd_2d
