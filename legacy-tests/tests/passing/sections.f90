subroutine scale2(m, n, a, b)
  implicit none
  integer, intent(in) :: m, n
  real(8), intent(inout) :: a(m,n)
  real(8), intent(in) :: b(m)
  integer :: i, j
  do j = 1, n
    do i = 1, m
      a(i,j) = a(i,j)*b(i) + sin(a(i,j))
    end do
  end do
end subroutine
subroutine head(n, x, y, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n,n)
  real(8), intent(in) :: y(0:2*n-1)
  real(8), intent(out) :: f
  ! a strided section for an explicit shape: copied in and out
  call scale2(n/2, n, x(1:n-1:2,:), y(0:n-1:2))
  call scale2(n, n/2, x(:,n:2:-2), y(2*n-1:n:-1))
  ! vector subscript as an actual that is only read
  call scale2(2, n/2, x(1:2,1:n/2), y([1,3]))
  ! row as a vector
  call scale2(n, 1, x(2,:), y(1))
  f = sum(x*x)
end subroutine
