subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: k
  real(8) :: u(n)
  u = x
  k = 1
  call two(k, u(k)*x(2), y)
  y = y*u(k)
end subroutine
subroutine two(k, c, a)
  integer, intent(inout) :: k
  real(8), intent(in) :: c
  real(8), intent(out) :: a
  a = sin(c)*c
  k = k + 1
end subroutine
