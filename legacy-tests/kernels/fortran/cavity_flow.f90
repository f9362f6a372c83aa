! Flow in a cavity whose lid moves: a projection method with a few Jacobi sweeps for the pressure
! (NPBench cavity_flow).  Index order transposed: the first index here is x, NPBench's last.
!
!   b = rho ((u_x + v_y) / dt - u_x^2 - 2 u_y v_x - v_y^2);  nit times p <- Jacobi(p, b), walls;
!   u, v: advection upwind, pressure gradient, diffusion, walls.
!
! p enters linearly, so a step needs u and v of before it: 16 ny nx bytes for each step, or steps that run
! again.
subroutine cavity_flow(nx, ny, nt, nit, dt, dx, dy, rho, nu, u, v, p)
  implicit none
  integer, intent(in) :: nx, ny, nt, nit
  real(8), intent(in) :: dt, dx, dy, rho, nu
  real(8), intent(inout) :: u(0:nx-1, 0:ny-1), v(0:nx-1, 0:ny-1), p(0:nx-1, 0:ny-1)
  real(8) :: un(0:nx-1, 0:ny-1), vn(0:nx-1, 0:ny-1), pn(0:nx-1, 0:ny-1), b(0:nx-1, 0:ny-1)
  real(8) :: ux, uy, vx, vy
  integer :: t, q, i, j

  do t = 1, nt
    do i = 0, ny-1
      do j = 0, nx-1
        un(j,i) = u(j,i)
        vn(j,i) = v(j,i)
      end do
    end do
    do i = 1, ny-2
      do j = 1, nx-2
        ux = (un(j+1,i) - un(j-1,i)) / (2.0d0 * dx)
        uy = (un(j,i+1) - un(j,i-1)) / (2.0d0 * dy)
        vx = (vn(j+1,i) - vn(j-1,i)) / (2.0d0 * dx)
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
        do j = 1, nx-2
          p(j,i) = ((pn(j+1,i) + pn(j-1,i)) * dy * dy + (pn(j,i+1) + pn(j,i-1)) * dx * dx) &
            / (2.0d0 * (dx * dx + dy * dy)) &
            - dx * dx * dy * dy / (2.0d0 * (dx * dx + dy * dy)) * b(j,i)
        end do
      end do
      do i = 0, ny-1
        p(nx-1,i) = p(nx-2,i)
      end do
      do j = 0, nx-1
        p(j,0) = p(j,1)
      end do
      do i = 0, ny-1
        p(0,i) = p(1,i)
      end do
      do j = 0, nx-1
        p(j,ny-1) = 0.0d0
      end do
    end do
    do i = 1, ny-2
      do j = 1, nx-2
        u(j,i) = un(j,i) - un(j,i) * dt / dx * (un(j,i) - un(j-1,i)) &
          - vn(j,i) * dt / dy * (un(j,i) - un(j,i-1)) &
          - dt / (2.0d0 * rho * dx) * (p(j+1,i) - p(j-1,i)) &
          + nu * (dt / (dx * dx) * (un(j+1,i) - 2.0d0 * un(j,i) + un(j-1,i)) &
                  + dt / (dy * dy) * (un(j,i+1) - 2.0d0 * un(j,i) + un(j,i-1)))
        v(j,i) = vn(j,i) - un(j,i) * dt / dx * (vn(j,i) - vn(j-1,i)) &
          - vn(j,i) * dt / dy * (vn(j,i) - vn(j,i-1)) &
          - dt / (2.0d0 * rho * dy) * (p(j,i+1) - p(j,i-1)) &
          + nu * (dt / (dx * dx) * (vn(j+1,i) - 2.0d0 * vn(j,i) + vn(j-1,i)) &
                  + dt / (dy * dy) * (vn(j,i+1) - 2.0d0 * vn(j,i) + vn(j,i-1)))
      end do
    end do
    do i = 0, ny-1
      u(0,i) = 0.0d0
      u(nx-1,i) = 0.0d0
      v(0,i) = 0.0d0
      v(nx-1,i) = 0.0d0
    end do
    do j = 0, nx-1
      u(j,0) = 0.0d0
      u(j,ny-1) = 1.0d0
      v(j,0) = 0.0d0
      v(j,ny-1) = 0.0d0
    end do
  end do
end subroutine cavity_flow
