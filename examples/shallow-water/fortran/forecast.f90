!> The model alone: what there was before anything was differentiated.
program forecast
  use parameters, only: wp
  use model, only: simulate, cost_function
  use scenario, only: set_scenario
  use picture, only: show
  implicit none
  integer, parameter :: nx = 160, ny = 96, nt = 140
  real(wp) :: eta0(nx, ny), u0(nx, ny), v0(nx, ny+1), bottom(nx, ny), eta(nx, ny), cost

  call set_scenario(nx, ny, eta0, u0, v0, bottom)
  call simulate(nx, ny, nt, eta0, u0, v0, bottom, eta)
  call cost_function(nx, ny, nt, eta0, u0, v0, bottom, cost)
  print '(a, i0, a)', 'sea level after ', nt, ' steps'
  call show(nx, ny, eta)
  print '(a, es22.15, a)', 'mean in the target box: ', cost, ' m'
end program forecast
