! A million steps of a small model. The step stands in a file of its own, so that a test can count.
subroutine march(steps, x, y)
  implicit none
  integer, intent(in) :: steps
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  integer :: it
  real(8) :: u(3)
  u = x
  !$ad checkpoint binomial(20)
  do it = 1, steps
    call lorenz(u, 1.d-7)
  end do
  y = u(1) + u(2)*u(3)
end subroutine march
