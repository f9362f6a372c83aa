!> Constants of the model: kind of reals, grid spacing, physics, and the target of the cost function.
module parameters
  implicit none
  private

  integer, parameter, public :: wp = selected_real_kind(15)

  real(wp), parameter, public :: dx = 5.0e3_wp          ! spacing in x, m
  real(wp), parameter, public :: dy = 5.0e3_wp          ! spacing in y, m
  real(wp), parameter, public :: dt = 60.0_wp           ! time step, s
  real(wp), parameter, public :: gravity = 9.81_wp      ! m/s^2
  real(wp), parameter, public :: coriolis = 1.0e-4_wp   ! at mid-latitude of the channel, 1/s
  real(wp), parameter, public :: beta = 2.0e-11_wp      ! its northward derivative, 1/(m s)
  real(wp), parameter, public :: drag = 1.0e-6_wp       ! linear bottom drag, 1/s
  real(wp), parameter, public :: depth = 200.0_wp       ! of the undisturbed, flat-bottomed sea, m

  public :: target_box

contains

  !> The cells over which the cost function takes the mean: a box in the north-east.
  subroutine target_box(nx, ny, west, east, south, north)
    integer, intent(in) :: nx, ny
    integer, intent(out) :: west, east, south, north

    west = (5*nx)/8
    east = west + max(nx/20, 1)
    south = ny/2
    north = south + max(ny/12, 1)
  end subroutine target_box

end module parameters
