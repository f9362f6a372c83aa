! Nonlinear advection u (du/dx + du/dy) with diffusion, two sweeps per turn of the time loop, u to v
! and back; s is the sum of squares of the last u.  nt is even.
!
! The speed of each sweep is needed backwards and overwritten by the next but one.
! True tape: the interior once per sweep, 8 nt (n-2)^2 bytes (fewer with checkpoints).
subroutine burgers(n, nt, u, v, s)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n,n), v(n,n)
  real(8), intent(out) :: s
  integer :: t, i, j

  do j = 1, n
    do i = 1, n
      v(i,j) = u(i,j)
    end do
  end do
  do t = 1, nt, 2
    do j = 2, n-1
      do i = 2, n-1
        v(i,j) = u(i,j) &
          - 0.05d0 * u(i,j) * (u(i,j+1) - u(i,j-1) + u(i+1,j) - u(i-1,j)) &
          + 0.1d0 * (u(i,j-1) + u(i,j+1) + u(i-1,j) + u(i+1,j) - 4.0d0 * u(i,j))
      end do
    end do
    do j = 2, n-1
      do i = 2, n-1
        u(i,j) = v(i,j) &
          - 0.05d0 * v(i,j) * (v(i,j+1) - v(i,j-1) + v(i+1,j) - v(i-1,j)) &
          + 0.1d0 * (v(i,j-1) + v(i,j+1) + v(i-1,j) + v(i+1,j) - 4.0d0 * v(i,j))
      end do
    end do
  end do
  s = 0.0d0
  do j = 1, n
    do i = 1, n
      s = s + u(i,j) * u(i,j)
    end do
  end do
end subroutine burgers
