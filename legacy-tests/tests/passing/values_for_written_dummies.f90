subroutine acc(a, b)
  implicit none
  real(8) :: a, b
  a = a*2
  b = b + a
end subroutine
subroutine addk(k, n, x)
  integer :: k, n
  real(8) :: x(n)
  x = x*k
  k = k + 1
end subroutine
subroutine head(n, x, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: f(1)
  real(8) :: t
  integer :: m
  f = 0
  t = x(1)
  call acc((t), f(1))
  call acc(t*x(2), f(1))
  call acc(t, f(1))
  call acc(-t, f(1))
  f = f*t
  m = 2
  call addk((m), 1, f)
  call addk(m, 1, f)
  call addk(m+n, 1, f)
  f = f + m*t
end subroutine
