subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: a(n), b(n, 2), t
  integer :: idx(n), i, k
  a = x
  do i = 1, n
    idx(i) = mod(5*i, n) + 1
  end do
  b(:,1) = a(idx)
  b(idx,2) = b(:,1)**2
  a(2:n) = a(1:n-1)*b(2:n,2)
  a(n:1:-2) = a(n:1:-2) + 1
  where (a > 1.2d0 .and. b(:,1) < 2)
    a = a/b(:,1)
    where (a < 1) b(:,2) = a
  elsewhere
    b(:,1) = sum(b, dim=2)
  end where
  t = maxval(matmul(transpose(b), b))
  k = minloc(a, dim=1)
  y = spread(a(k), 1, n)*b(:,1) + t*merge(a, b(:,2), a > b(:,2))
  y(1:2) = matmul(reshape(a(1:4), [2,2]), x(1:2)) + cshift(y(1:2), 1)
  y(3) = norm2(a) + dot_product(pack(a, a > 0.5d0), pack(x, a > 0.5d0))
end subroutine
