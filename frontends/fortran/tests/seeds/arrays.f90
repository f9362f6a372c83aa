subroutine arrays(n, a, b, c, m, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n), c(n,n)
  logical, intent(in) :: m(n)
  real(8), intent(out) :: s
  real(8), allocatable :: t(:)
  integer :: i, k(3)
  a = 0.0d0
  a(2:n) = b(1:n-1) + a(1:n-1)
  a(1:n-1) = a(2:n)
  b(1:n:2) = 2*a(1:n:2)
  c(:,1) = matmul(c, a) + c(1,:)
  c = transpose(c)
  where (m .and. a > 0)
    a = sqrt(a)
  elsewhere
    b = -a
  end where
  s = sum(a*b, mask=m) + dot_product(a, b) + maxval(abs(c(:,2))) + count(m)
  allocate (t(0:n-1))
  t = a
  k = [1, 2, 3]
  a(k) = b(k)*t(n - 1)
  forall (i = 1:n) c(i,i) = 1
  do concurrent (i = 1:n)
    b(i) = min(b(i), 1.0d0)
  end do
  if (any(m)) b = b + sum(c, dim=1)*a(1)
  deallocate (t)
end subroutine
