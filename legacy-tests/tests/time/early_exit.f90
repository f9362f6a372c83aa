! A march that stops when the state has settled, or when an argument says so.
subroutine settle(n, most, tol, u, f)
  implicit none
  integer, intent(in) :: n, most
  real(8), intent(in) :: tol
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: f
  integer :: it, i
  real(8) :: change, mean
  f = 0.d0
  !$ad checkpoint binomial(4)
  do it = 1, most
    change = 0.d0
    mean = sum(u)/n
    do i = 1, n
      change = change + abs(0.3d0*(mean - u(i)))
      u(i) = u(i) + 0.3d0*(mean - u(i)) + 0.001d0*sin(u(i))
    end do
    if (u(1) > 1.d6) return
    f = f + 0.01d0*u(1)**2
    if (change < tol) exit
    if (mod(it, 3) == 0) cycle
    u(n) = u(n) + 0.01d0*cos(u(1))
  end do
  f = f + sum(u**2)
end subroutine settle
