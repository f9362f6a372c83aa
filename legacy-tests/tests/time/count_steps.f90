! Runs the adjoint of a million steps and says how often the step was run.
program main
  implicit none
  interface
    subroutine march(steps, x, y)
      integer, intent(in) :: steps
      real(8), intent(in) :: x(3)
      real(8), intent(out) :: y
    end subroutine
    subroutine march_b(steps, x, x_b, y, y_b)
      integer, intent(in) :: steps
      real(8), intent(in) :: x(3)
      real(8), intent(inout) :: x_b(3)
      real(8), intent(out) :: y
      real(8), intent(inout) :: y_b
    end subroutine
  end interface
  integer, parameter :: steps = 1000000
  integer :: count, k
  common /counter/ count
  real(8) :: x(3), x_b(3), y, y_b, moved(3), above, below, error
  x = [1.1d0, 0.9d0, 20.d0]
  x_b = 0.d0
  y_b = 1.d0
  count = 0
  call march_b(steps, x, x_b, y, y_b)
  print '(i0)', count
  error = 0.d0
  do k = 1, 3
    moved = x
    moved(k) = x(k) + 1.d-4
    call march(steps, moved, above)
    moved(k) = x(k) - 1.d-4
    call march(steps, moved, below)
    error = max(error, abs((above - below)/2.d-4 - x_b(k)))
  end do
  print '(es10.3)', error/maxval(abs(x_b))
end program main
