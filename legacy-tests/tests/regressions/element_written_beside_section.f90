! The callee writes a section and an element of one array: the seed of the element must reach it.
subroutine layer(n, x, y, z)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n), z
  y = sin(x)
  z = y(n)**2
end subroutine
subroutine top(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n+1)
  call layer(n, x, y(1:n), y(n+1))
end subroutine
