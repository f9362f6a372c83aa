subroutine lorenz(u, dt)
  implicit none
  real(8), intent(inout) :: u(3)
  real(8), intent(in) :: dt
  real(8) :: d(3)
  d(1) = 10.d0*(u(2) - u(1))
  d(2) = u(1)*(28.d0 - u(3)) - u(2)
  d(3) = u(1)*u(2) - 8.d0/3.d0*u(3)
  u(1) = u(1) + dt*d(1)
  u(2) = u(2) + dt*d(2)
  u(3) = u(3) + dt*d(3)
end subroutine lorenz
