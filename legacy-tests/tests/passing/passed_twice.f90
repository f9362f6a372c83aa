subroutine three(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b(n)
  real(8), intent(out) :: c
  c = dot_product(a, b) + a(1)*b(n)
end subroutine
subroutine lit(a, b)
  implicit none
  real(8) :: a, b
  b = a*a
end subroutine
subroutine head(n, x, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: f(4)
  call three(n, x, x, f(1))
  call three(n-1, x(1), x(2), f(2))
  call three(n, x*2d0, x+x(n:1:-1), f(3))
  call three(n, (x), [i2(x(n)), x(2:)], f(4))
contains
  real(8) function i2(t)
    real(8), intent(in) :: t
    i2 = t*t
  end function
end subroutine
