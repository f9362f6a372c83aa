! Flow through a channel, periodic in x, until it changes little from step to step (NPBench
! channel_flow).  Index order transposed: the first index here is x, NPBench's last.
!
! As cavity_flow, with a force along x and walls below and above.  The loop ends on a computed residual:
! the number of steps counts as constant.  A step needs u and v of before it: 16 ny nx bytes for each
! step, as many as there are, or steps that run again.
subroutine channel_flow(nx, ny, nit, dt, dx, dy, rho, nu, force, least, u, v, p, steps)
  implicit none
  integer, intent(in) :: nx, ny, nit
  real(8), intent(in) :: dt, dx, dy, rho, nu, force, least
  real(8), intent(inout) :: u(0:nx-1, 0:ny-1), v(0:nx-1, 0:ny-1), p(0:nx-1, 0:ny-1)
  integer, intent(out) :: steps
  real(8) :: un(0:nx-1, 0:ny-1), vn(0:nx-1, 0:ny-1), pn(0:nx-1, 0:ny-1), b(0:nx-1, 0:ny-1)
  real(8) :: ux, uy, vx, vy, change, before, after
  integer :: q, i, j, e, w

  steps = 0
  change = 1.0d0
  do while (change > least)
    do i = 0, ny-1
      do j = 0, nx-1
        un(j,i) = u(j,i)
        vn(j,i) = v(j,i)
      end do
    end do
    do i = 1, ny-2
      do j = 0, nx-1
        e = mod(j + 1, nx)
        w = mod(j + nx - 1, nx)
        ux = (un(e,i) - un(w,i)) / (2.0d0 * dx)
        uy = (un(j,i+1) - un(j,i-1)) / (2.0d0 * dy)
        vx = (vn(e,i) - vn(w,i)) / (2.0d0 * dx)
        vy = (vn(j,i+1) - vn(j,i-1)) / (2.0d0 * dy)
        b(j,i) = rho * (1.0d0 / dt * (ux + vy) - ux * ux - 2.0d0 * uy * vx - vy * vy)
      end do
    end do
    do q = 1, nit
      do i = 0, ny-1
        do j = 0, nx-1
          pn(j,i) = p(j,i)
        end do
      end do
      do i = 1, ny-2
        do j = 0, nx-1
          e = mod(j + 1, nx)
          w = mod(j + nx - 1, nx)
          p(j,i) = ((pn(e,i) + pn(w,i)) * dy * dy + (pn(j,i+1) + pn(j,i-1)) * dx * dx) &
            / (2.0d0 * (dx * dx + dy * dy)) &
            - dx * dx * dy * dy / (2.0d0 * (dx * dx + dy * dy)) * b(j,i)
        end do
      end do
      do j = 0, nx-1
        p(j,ny-1) = p(j,ny-2)
        p(j,0) = p(j,1)
      end do
    end do
    do i = 1, ny-2
      do j = 0, nx-1
        e = mod(j + 1, nx)
        w = mod(j + nx - 1, nx)
        u(j,i) = un(j,i) - un(j,i) * dt / dx * (un(j,i) - un(w,i)) &
          - vn(j,i) * dt / dy * (un(j,i) - un(j,i-1)) &
          - dt / (2.0d0 * rho * dx) * (p(e,i) - p(w,i)) &
          + nu * (dt / (dx * dx) * (un(e,i) - 2.0d0 * un(j,i) + un(w,i)) &
                  + dt / (dy * dy) * (un(j,i+1) - 2.0d0 * un(j,i) + un(j,i-1))) &
          + force * dt
        v(j,i) = vn(j,i) - un(j,i) * dt / dx * (vn(j,i) - vn(w,i)) &
          - vn(j,i) * dt / dy * (vn(j,i) - vn(j,i-1)) &
          - dt / (2.0d0 * rho * dy) * (p(j,i+1) - p(j,i-1)) &
          + nu * (dt / (dx * dx) * (vn(e,i) - 2.0d0 * vn(j,i) + vn(w,i)) &
                  + dt / (dy * dy) * (vn(j,i+1) - 2.0d0 * vn(j,i) + vn(j,i-1)))
      end do
    end do
    do j = 0, nx-1
      u(j,0) = 0.0d0
      u(j,ny-1) = 0.0d0
      v(j,0) = 0.0d0
      v(j,ny-1) = 0.0d0
    end do
    before = 0.0d0
    after = 0.0d0
    do i = 0, ny-1
      do j = 0, nx-1
        before = before + un(j,i)
        after = after + u(j,i)
      end do
    end do
    change = (after - before) / after
    steps = steps + 1
  end do
end subroutine channel_flow
