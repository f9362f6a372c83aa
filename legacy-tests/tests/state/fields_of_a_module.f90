module fields
  implicit none
  real(8) :: u(5) = 1d0
end module
subroutine step(dt, e)
  use fields
  implicit none
  real(8), intent(in) :: dt
  real(8), intent(out) :: e
  u = u + dt*u**2
  e = sum(u)
end subroutine
