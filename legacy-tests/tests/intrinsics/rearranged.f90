! Array intrinsics that move elements: in place, of sections, with other lower bounds, nested, with
! arrays as distances.
subroutine shifts(x, a, y, b)
  implicit none
  double precision, intent(inout) :: x(0:5)
  double precision, intent(in) :: a(3,4)
  double precision, intent(out) :: y(6), b(3,4)
  double precision :: t(-1:4)
  x = cshift(x, -2)*x
  t = cshift(x**2, 1) + eoshift(x, -1, boundary=2d0)
  y = cshift(cshift(t, 1), -3) + t
  y(1:5:2) = cshift(y(2:6:2), 1)*y(1:5:2)
  b = cshift(a, 1, dim=2)*a
  b = b + eoshift(a, shift=1, dim=1) + cshift(a, shift=[1, 2, 0, -1], dim=1)
  b(:, 2) = eoshift(b(:, 2), 1, b(1, 1))
end subroutine

subroutine shapes(x, w, y, z, v)
  implicit none
  double precision, intent(in) :: x(6), w(2,2,2)
  double precision, intent(out) :: y(2,3), z(3,3), v(4)
  double precision :: u(4,2)
  y = reshape(x**2, [2, 3])
  y = y*reshape(x, shape(y), order=[2, 1])
  z = reshape(x, [3, 3], pad=x(1:2)*2)
  u = reshape(w, [4, 2])
  v = reshape(w(:, 2, :), [4])*u(:, 1) + matmul(u, reshape(y, [2]))
end subroutine

subroutine packed(x, a, y, z, s)
  implicit none
  double precision, intent(in) :: x(6), a(2,3)
  double precision, intent(out) :: y(6), z(6), s
  double precision, allocatable :: p(:)
  logical :: m(6)
  integer :: k
  m = x > 0.9d0
  p = pack(x, m)
  y = 0
  y(1:size(p)) = p**2
  z = unpack(p, m, x*3)
  z = z + pack(a, a > 1, x)
  s = 0
  do k = 1, 3
    s = s + sum(pack(x*k, x > 0.6d0 + 0.2d0*k)) + product(pack(a, .true.))
  end do
end subroutine

subroutine merged(x, y, a)
  implicit none
  double precision, intent(in) :: x(3)
  double precision, intent(out) :: y(3), a(3,4)
  integer :: i
  y = merge(x**2, 2*x, x > 1d0)
  y(1) = y(1) + merge(x(2), 0d0, x(2) < 1)
  a = spread(x, dim=2, ncopies=4)*spread([(i*1d0, i=1, 4)], 1, 3)
  where (a > 2) a = transpose(spread(y, 1, 4))
end subroutine
