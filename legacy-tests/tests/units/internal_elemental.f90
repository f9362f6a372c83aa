! array intrinsics around an internal elemental procedure
subroutine f(n, m, a, b, c)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: a(n,m), b(m,n)
  real(8), intent(out) :: c(n,n)
  real(8) :: t(n,m), s(n), k
  integer :: idx(n), i
  t = transpose(b)*merge(a, -a, a > 0.2d0)
  c = matmul(t, b) + spread(a(:,1), 2, n)*spread(b(1,:), 1, n)
  idx = [(mod(i*3,n)+1, i=1,n)]
  s(idx) = c(:,1)
  c(idx,2) = s*c(2,idx)
  where (c > 1) c = sqrt(c)
  k = maxval(c, mask=c<5) + minval(abs(a))
  a(:,m:1:-1) = a*k
  b = reshape(a, [m,n], order=[2,1]) + eoshift(b, 1, boundary=k, dim=2)
  c = c + dot_product(pack(a, a>0), [ (1d0*i, i=1,count(a>0)) ])
  call swap(a(:,1), a(:,2))
  c(1,:) = c(1,:)*norm2(sum(a(:,1:2)**2, dim=1, mask=a(:,1:2)>-1))
contains
  elemental subroutine swap(x, y)
    real(8), intent(inout) :: x, y
    real(8) :: z
    z = x; x = y; y = z*x
  end subroutine
end subroutine
