! Several threads call a derivative that counts: each counts what is its own.
program threads
  use settling, only: settle_b
  use settle_b_kept, only: kept_now, kept_most, kept_reset
  implicit none
  integer, parameter :: n = 4, calls = 16
  real(8) :: x(n), y, xb(n), yb, gradients(n, calls)
  integer :: k, most(calls), left(calls)
  call kept_reset()
  !$omp parallel do private(x, y, xb, yb) num_threads(4) schedule(dynamic)
  do k = 1, calls
    x = [0.3d0, 0.5d0, 0.7d0, 0.9d0]
    xb = 0
    yb = 1
    call settle_b(n, x, xb, y, yb)
    gradients(:, k) = xb
    most(k) = int(kept_most())
    left(k) = int(kept_now())
  end do
  !$omp end parallel do
  print '(4l2)', all(most == most(1)), most(1) > 8192, all(left == 0), &
      all(gradients == spread(gradients(:, 1), 2, calls))
end program threads
