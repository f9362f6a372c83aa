! The Lorenz system by the classical Runge-Kutta method; p holds the start x, y, z and the
! parameters sigma, rho, beta; r is the squared distance of the end from the origin.
!
! A sequential nonlinear recurrence.  True tape: the state once per step, 24 nsteps bytes; the
! stages can be had again from it.
subroutine lorenz(nsteps, dt, p, r)
  implicit none
  integer, intent(in) :: nsteps
  real(8), intent(in) :: dt, p(6)
  real(8), intent(out) :: r
  real(8) :: x, y, z, sigma, rho, beta
  real(8) :: x1, y1, z1, x2, y2, z2, x3, y3, z3, x4, y4, z4, xs, ys, zs
  integer :: step

  x = p(1)
  y = p(2)
  z = p(3)
  sigma = p(4)
  rho = p(5)
  beta = p(6)
  do step = 1, nsteps
    x1 = sigma * (y - x)
    y1 = x * (rho - z) - y
    z1 = x * y - beta * z
    xs = x + 0.5d0 * dt * x1
    ys = y + 0.5d0 * dt * y1
    zs = z + 0.5d0 * dt * z1
    x2 = sigma * (ys - xs)
    y2 = xs * (rho - zs) - ys
    z2 = xs * ys - beta * zs
    xs = x + 0.5d0 * dt * x2
    ys = y + 0.5d0 * dt * y2
    zs = z + 0.5d0 * dt * z2
    x3 = sigma * (ys - xs)
    y3 = xs * (rho - zs) - ys
    z3 = xs * ys - beta * zs
    xs = x + dt * x3
    ys = y + dt * y3
    zs = z + dt * z3
    x4 = sigma * (ys - xs)
    y4 = xs * (rho - zs) - ys
    z4 = xs * ys - beta * zs
    x = x + dt / 6.0d0 * (x1 + 2.0d0 * x2 + 2.0d0 * x3 + x4)
    y = y + dt / 6.0d0 * (y1 + 2.0d0 * y2 + 2.0d0 * y3 + y4)
    z = z + dt / 6.0d0 * (z1 + 2.0d0 * z2 + 2.0d0 * z3 + z4)
  end do
  r = x * x + y * y + z * z
end subroutine lorenz
