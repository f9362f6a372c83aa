! The gamma function and its logarithm, of positive and negative numbers, in two precisions.
subroutine head(n, u, v)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(n)
  real(8), intent(out) :: v(n)
  integer :: i
  do i = 1, n
    v(i) = gamma(u(i) + 0.2d0*i)*u(i) + log_gamma(3*u(i)*u(i) + 0.1d0)
    v(i) = v(i) + gamma(-u(i) - 1.1d0) + log_gamma(20*u(i) + 5)
  end do
end subroutine
