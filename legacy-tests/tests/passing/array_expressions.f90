subroutine head(n, x, y, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n,n)
  real(8), intent(out) :: f(n)
  integer :: idx(n), i, j
  real(8) :: t(2*n)
  idx = [(mod(i, n) + 1, i = 1, n)]
  x(2:n) = x(1:n-1)*x(2:n)
  x(n:2:-1) = x(n-1:1:-1) + x(n:2:-1)
  x(idx) = x*y(:,1)
  y(idx,2) = y(idx,1)*x(idx)
  where (x > 0.9d0)
    x = x*x
    where (y(:,1) > 1d0)
      y(:,1) = y(:,1)*x
    elsewhere
      y(:,1) = sin(x)
    end where
  elsewhere (x > 0.5d0)
    x = 2*x
  elsewhere
    x = x + y(:,2)
  end where
  t = [(x(i)*i, i = 1, n), (sum(y(:,j)), j = 1, n)]
  if (sum(x) > 1d0 .and. maxval(y) > 0.1d0) then
    f = matmul(y, x)*t(1:n) + t(n+1:)
  else
    f = t(2:2*n:2)
  end if
  f(1) = f(1) + maxval(x*y(:,1)) + minval(y) + product(x) + dot_product(x, y(1,:))
  f = merge(f, x*f, f > x)
  y = transpose(y) + spread(x, 1, n)*spread(f, 2, n)
  f = f + sum(y, dim=1) + sum(y, dim=2, mask=y > 1d0) + matmul(x, y)
  forall (i = 1:n, j = 1:n, i /= j) y(i,j) = 2*f(j)*x(i)
  do concurrent (i = 1:n)
    f(i) = f(i)*y(i,i)
  end do
  y(1:n-1,:) = y(2:n,:)*y(1:n-1,:)
  y(:,n) = y(:,n)*y(n,:)
  y(n,:) = y(:,n)*y(n,:)
  x(idx(idx)) = f(idx)
  where (mod(idx, 2) == 0) f = x(idx)
end subroutine
