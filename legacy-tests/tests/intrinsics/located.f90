! Positions of largest, smallest and equal elements, used as subscripts of active arrays.
subroutine located(x, v, n, y, k)
  implicit none
  double precision, intent(in) :: x(3,0:3), v(-1:3)
  integer, intent(in) :: n(5)
  double precision, intent(out) :: y(4)
  integer, intent(out) :: k(2)
  integer :: m(4), l(1), i
  integer(8) :: far
  k = maxloc(x)
  m = minloc(x, dim=1)
  l = maxloc(x(2,:), mask=x(2,:) < 1.2d0)
  do i = 1, 4
    y(i) = x(m(i), i - 1)*x(k(1), k(2) - 1) + x(2, l(1) - 1)
  end do
  i = maxloc(v, 1)
  y(1) = y(1) + v(i - 2)**2
  i = minloc(v, dim=1, mask=v > 0.7d0, back=.true.)
  if (i > 0) y(2) = y(2)*v(i - 2)
  far = findloc(n, 4, dim=1, kind=8)
  y(3) = y(3)*v(far - 2)
  l = findloc(n, 4, back=.true.)
  y(4) = y(4) + v(l(1) - 2)**3
  i = maxval(maxloc(abs(x - 1), 2))
  y(4) = y(4) + x(1, i - 1)*sum(v, mask=v < maxval(v))
end subroutine
