! a += u1 v1^T + u2 v2^T;  x += beta a^T y + z;  w += alpha a x (NPBench gemver).  Index order
! transposed: the first index here is the column.
!
! The new a and x are needed, which are final.  True tape: 0 bytes.
subroutine gemver(n, alpha, beta, a, u1, v1, u2, v2, w, x, y, z)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: alpha, beta
  real(8), intent(inout) :: a(0:n-1, 0:n-1)
  real(8), intent(in) :: u1(0:n-1), v1(0:n-1), u2(0:n-1), v2(0:n-1)
  real(8), intent(inout) :: w(0:n-1), x(0:n-1)
  real(8), intent(in) :: y(0:n-1), z(0:n-1)
  integer :: i, j

  do i = 0, n-1
    do j = 0, n-1
      a(j,i) = a(j,i) + u1(i) * v1(j) + u2(i) * v2(j)
    end do
  end do
  do i = 0, n-1
    do j = 0, n-1
      x(j) = x(j) + beta * a(j,i) * y(i)
    end do
  end do
  do i = 0, n-1
    x(i) = x(i) + z(i)
  end do
  do i = 0, n-1
    do j = 0, n-1
      w(i) = w(i) + alpha * a(j,i) * x(j)
    end do
  end do
end subroutine gemver
