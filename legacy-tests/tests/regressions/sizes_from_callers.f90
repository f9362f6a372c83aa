! How much `t` and `w` cover is told by the calls alone.
subroutine use(m, t, w, k)
  integer, intent(in) :: m, k
  real(8) :: t(*), w(*)
  integer :: i
  do i = 1, m
    t(mod(k, 4) + 1) = t(mod(k, 4) + 1)*(1 + 0.1d0*t(i))
    w(mod(k + i, m) + 1) = w(mod(k + i, m) + 1) + sin(t(i))
  end do
end subroutine
subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: t(5), w(n)
  integer :: k
  t = 2
  t(:4) = x(:4)
  w = x*x(1)
  y = 0
  do k = 1, 3
    call use(min(n, 4), t(2), w, k)
    call use(n, t, w, k)
    y = y*t(k) + w(k)
  end do
end subroutine
