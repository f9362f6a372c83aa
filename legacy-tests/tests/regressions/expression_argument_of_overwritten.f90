subroutine f(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: u
  u = x
  call two(u, u*x)
  y = u
end subroutine
subroutine two(a, c)
  real(8) :: a, c
  a = sin(a + c)*c
end subroutine
