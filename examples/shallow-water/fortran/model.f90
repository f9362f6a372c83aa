!> The model as a function of its initial state and bottom, and a cost function of the result.
module model
  use parameters, only: wp, depth, target_box
  use dynamics, only: step, wrap
  implicit none
  private
  public :: simulate, cost_function

contains

  !> Sea level after nt steps from the initial sea level and velocities over the given bottom height.
  subroutine simulate(nx, ny, nt, eta0, u0, v0, bottom, eta)
    integer, intent(in) :: nx, ny, nt
    real(wp), intent(in) :: eta0(nx, ny), u0(nx, ny), v0(nx, ny+1), bottom(nx, ny)
    real(wp), intent(out) :: eta(nx, ny)
    real(wp) :: h(0:nx+1, ny), u(0:nx+1, ny), v(0:nx+1, ny+1), b(0:nx+1, ny)
    integer :: i, j, t

    do j = 1, ny
      do i = 1, nx
        b(i,j) = bottom(i,j)
        h(i,j) = depth + eta0(i,j) - bottom(i,j)
        u(i,j) = u0(i,j)
      end do
    end do
    do j = 1, ny+1
      do i = 1, nx
        if (j == 1 .or. j == ny+1) then
          v(i,j) = 0.0_wp
        else
          v(i,j) = v0(i,j)
        end if
      end do
    end do
    call wrap(nx, ny, b)
    call wrap(nx, ny, h)
    call wrap(nx, ny, u)
    call wrap(nx, ny+1, v)

    do t = 1, nt
      call step(nx, ny, b, h, u, v)
    end do

    do j = 1, ny
      do i = 1, nx
        eta(i,j) = h(i,j) + b(i,j) - depth
      end do
    end do
  end subroutine simulate

  !> Mean sea level in the target box at the final time.
  subroutine cost_function(nx, ny, nt, eta0, u0, v0, bottom, cost)
    integer, intent(in) :: nx, ny, nt
    real(wp), intent(in) :: eta0(nx, ny), u0(nx, ny), v0(nx, ny+1), bottom(nx, ny)
    real(wp), intent(out) :: cost
    real(wp) :: eta(nx, ny)
    integer :: west, east, south, north, i, j

    call simulate(nx, ny, nt, eta0, u0, v0, bottom, eta)
    call target_box(nx, ny, west, east, south, north)
    cost = 0.0_wp
    do j = south, north
      do i = west, east
        cost = cost + eta(i,j)
      end do
    end do
    cost = cost/real((east - west + 1)*(north - south + 1), wp)
  end subroutine cost_function

end module model
