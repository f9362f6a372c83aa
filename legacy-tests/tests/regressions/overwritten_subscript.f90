subroutine f(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: u(2)
  integer :: k
  u = x
  k = 1
  call two(k, u(k))
  k = 1
  y = u(1)*u(2)
end subroutine
subroutine two(k, a)
  integer, intent(inout) :: k
  real(8), intent(inout) :: a
  k = k + 1
  a = sin(a)*a
end subroutine
