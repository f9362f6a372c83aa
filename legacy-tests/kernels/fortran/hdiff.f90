! Horizontal diffusion with a flux limiter (NPBench hdiff).  Index order transposed: the first index
! here is NPBench's last.
!
!   lap = 4 x - (x_{i+1} + x_{i-1} + x_{j+1} + x_{j-1});  fx = lap_{i+1} - lap_i, fy = lap_{j+1} - lap_j,
!   each zero where it has the sign of the same difference of x;  out = x - c (fx - fx_{i-1} + fy - fy_{j-1}).
!
! The limiter's conditions read x only, and fluxes are still there.  True tape: 0 bytes.
subroutine hdiff(ni, nj, nk, x, out, c)
  implicit none
  integer, intent(in) :: ni, nj, nk
  real(8), intent(in) :: x(0:nk-1, 0:nj+3, 0:ni+3), c(0:nk-1, 0:nj-1, 0:ni-1)
  real(8), intent(out) :: out(0:nk-1, 0:nj-1, 0:ni-1)
  real(8) :: lap(0:nk-1, 0:nj+1, 0:ni+1)
  real(8) :: fx(0:nk-1, 0:nj-1, 0:ni), fy(0:nk-1, 0:nj, 0:ni-1)
  real(8) :: d
  integer :: i, j, k

  do i = 0, ni+1
    do j = 0, nj+1
      do k = 0, nk-1
        lap(k,j,i) = 4.0d0 * x(k,j+1,i+1) - (x(k,j+1,i+2) + x(k,j+1,i) + x(k,j+2,i+1) + x(k,j,i+1))
      end do
    end do
  end do
  do i = 0, ni
    do j = 0, nj-1
      do k = 0, nk-1
        d = lap(k,j+1,i+1) - lap(k,j+1,i)
        if (d * (x(k,j+2,i+2) - x(k,j+2,i+1)) > 0.0d0) d = 0.0d0
        fx(k,j,i) = d
      end do
    end do
  end do
  do i = 0, ni-1
    do j = 0, nj
      do k = 0, nk-1
        d = lap(k,j+1,i+1) - lap(k,j,i+1)
        if (d * (x(k,j+2,i+2) - x(k,j+1,i+2)) > 0.0d0) d = 0.0d0
        fy(k,j,i) = d
      end do
    end do
  end do
  do i = 0, ni-1
    do j = 0, nj-1
      do k = 0, nk-1
        out(k,j,i) = x(k,j+2,i+2) &
          - c(k,j,i) * (fx(k,j,i+1) - fx(k,j,i) + fy(k,j+1,i) - fy(k,j,i))
      end do
    end do
  end do
end subroutine hdiff
