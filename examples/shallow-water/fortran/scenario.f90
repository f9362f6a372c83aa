!> A bump of water on a jet, in a channel with a ridge and a bank.
module scenario
  use parameters, only: wp
  implicit none
  private
  public :: set_scenario

contains

  subroutine set_scenario(nx, ny, eta0, u0, v0, bottom)
    integer, intent(in) :: nx, ny
    real(wp), intent(out) :: eta0(nx, ny), u0(nx, ny), v0(nx, ny+1), bottom(nx, ny)
    real(wp) :: x, y
    integer :: i, j

    v0 = 0.0_wp
    do j = 1, ny
      do i = 1, nx
        x = (real(i, wp) - 0.5_wp)/real(nx, wp)
        y = (real(j, wp) - 0.5_wp)/real(ny, wp)
        eta0(i,j) = 2.0_wp*exp(-((x - 0.25_wp)/0.05_wp)**2 - ((y - 0.4_wp)/0.08_wp)**2)
        u0(i,j) = 0.5_wp*exp(-((y - 0.5_wp)/0.15_wp)**2)
        bottom(i,j) = 120.0_wp*exp(-((x - 0.45_wp - 0.1_wp*y)/0.04_wp)**2) &
          + 150.0_wp*exp(-((x - 0.8_wp)/0.07_wp)**2 - ((y - 0.25_wp)/0.12_wp)**2)
      end do
    end do
  end subroutine set_scenario

end module scenario
