!> The gradient of the cost function by the generated adjoint: timed, checked, drawn.
program sensitivity
  use parameters, only: wp
  use model, only: cost_function, cost_function_b
  use scenario, only: set_scenario
  use picture, only: show, write_ppm
  implicit none
  integer, parameter :: nx = 160, ny = 96, nt = 140
  real(wp), dimension(nx, ny) :: eta0, u0, bottom, eta0_b, u0_b, bottom_b
  real(wp), dimension(nx, ny+1) :: v0, v0_b
  real(wp) :: cost, cost_b, primal_time, adjoint_time, error

  call set_scenario(nx, ny, eta0, u0, v0, bottom)
  call time_primal(primal_time)
  call time_adjoint(adjoint_time)
  call compare_with_difference(error)

  print '(a, i0, a, i0, a, i0, a)', 'Fortran, ', nx, ' x ', ny, ' cells, ', nt, ' steps'
  print '(a, f8.1, a)', '  primal   ', 1.0e3_wp*primal_time, ' ms'
  print '(a, f8.1, a)', '  adjoint  ', 1.0e3_wp*adjoint_time, ' ms'
  print '(a, f8.2)', '  ratio    ', adjoint_time/primal_time
  print '(a, es9.2)', '  gradient against central difference, relative: ', error
  print '(a)', '  d(mean sea level in the target box at the end) / d(initial sea level):'
  call show(nx, ny, eta0_b)
  call write_ppm('sensitivity-fortran.ppm', nx, ny, eta0_b)
  if (.not. error < 1.0e-6_wp) error stop 'the gradient is wrong'

contains

  !> Best of three runs, in seconds.
  subroutine time_primal(best)
    real(wp), intent(out) :: best
    real(wp) :: start, finish
    integer :: run

    best = huge(best)
    do run = 1, 3
      call cpu_time(start)
      call cost_function(nx, ny, nt, eta0, u0, v0, bottom, cost)
      call cpu_time(finish)
      best = min(best, finish - start)
    end do
  end subroutine time_primal

  !> Best of three runs, in seconds; leaves the gradient in the shadows.
  subroutine time_adjoint(best)
    real(wp), intent(out) :: best
    real(wp) :: start, finish
    integer :: run

    best = huge(best)
    do run = 1, 3
      eta0_b = 0.0_wp
      u0_b = 0.0_wp
      v0_b = 0.0_wp
      bottom_b = 0.0_wp
      cost_b = 1.0_wp
      call cpu_time(start)
      call cost_function_b(nx, ny, nt, eta0, eta0_b, u0, u0_b, v0, v0_b, bottom, bottom_b, &
        cost, cost_b)
      call cpu_time(finish)
      best = min(best, finish - start)
    end do
  end subroutine time_adjoint

  !> The derivative along a wavy direction in all four fields, by the gradient and by a difference.
  subroutine compare_with_difference(relative)
    real(wp), intent(out) :: relative
    real(wp), parameter :: h = 1.0e-3_wp
    real(wp), dimension(nx, ny), save :: eta0_d, u0_d, bottom_d
    real(wp), dimension(nx, ny+1), save :: v0_d
    real(wp) :: up, down, by_difference, by_gradient
    integer :: i, j

    v0_d = 0.0_wp
    do j = 1, ny
      do i = 1, nx
        eta0_d(i,j) = sin(0.3_wp*i + 0.1_wp*j)
        u0_d(i,j) = cos(0.2_wp*i - 0.4_wp*j)
        v0_d(i,j) = sin(0.5_wp*i*j/nx)
        bottom_d(i,j) = cos(0.7_wp*i + 0.2_wp*j)
      end do
    end do
    v0_d(:, 1) = 0.0_wp
    call cost_function(nx, ny, nt, eta0 + h*eta0_d, u0 + h*u0_d, v0 + h*v0_d, bottom + h*bottom_d, up)
    call cost_function(nx, ny, nt, eta0 - h*eta0_d, u0 - h*u0_d, v0 - h*v0_d, bottom - h*bottom_d, down)
    by_difference = (up - down)/(2.0_wp*h)
    by_gradient = sum(eta0_b*eta0_d) + sum(u0_b*u0_d) + sum(v0_b*v0_d) + sum(bottom_b*bottom_d)
    relative = abs(by_gradient - by_difference)/abs(by_difference)
  end subroutine compare_with_difference

end program sensitivity
