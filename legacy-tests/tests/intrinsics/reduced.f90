! Reductions with DIM and MASK, norms, products of complex vectors.
subroutine reduced(a, x, y, z, w)
  implicit none
  double precision, intent(in) :: a(3,4), x(6)
  double precision, intent(out) :: y, z(4), w(3)
  y = sum(a, mask=a > 1) + product(a(1,:), mask=a(1,:) < 1.2d0)
  z = sum(a, dim=1, mask=a > 0.8d0)*product(a, 1)
  w = product(a, dim=2, mask=a > 0.7d0) + maxval(a, 2)
  y = y + maxval(a, mask=a < 1.2d0) - minval(a, a > 0.8d0)
  z = z + minval(a, dim=1, mask=a > 0.8d0)
  y = y + sum(sum(a, 1)**2)
  y = y*count(x > 1) + norm2(x) + norm2(x(2:3)*2)
  if (any(x > 1.4d0)) y = y*2
  if (all(x > 0)) y = y + x(2)
  z = z*count(a > 1, dim=1)*a(1,:) + norm2(a, 1)
  where (any(a > 1.3d0, 1)) z = z*2
  where (all(a > 0.6d0, dim=1)) z = z + 1
  w = w + norm2(a, dim=2)
end subroutine

subroutine complex_products(x, y, r, z)
  implicit none
  complex(8), intent(in) :: x(4), y(4)
  double precision, intent(in) :: r(4)
  complex(8), intent(out) :: z
  z = dot_product(x, y)*sum(x) + product(y) + dot_product(r, x)*dot_product(y, r)
end subroutine
