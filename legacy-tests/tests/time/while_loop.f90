! Steps of a length that depends on the state, from t0 to t1.
subroutine adaptive(t0, t1, x, y)
  implicit none
  real(8), intent(in) :: t0, t1
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  real(8) :: t, dt
  t = t0
  !$ad checkpoint binomial(5)
  do while (t < t1)
    dt = min(0.05d0/(1.d0 + x*x), t1 - t)
    x = x + dt*(sin(t) - x*x)
    t = t + dt
  end do
  y = x**3
end subroutine adaptive
