subroutine axpy(n, a, x, incx, y)
  implicit none
  integer :: n, incx, i
  real(8) :: a, x(*), y(*)
  do i = 1, n
    y(i) = y(i) + a*x(1 + (i-1)*incx)**2
  end do
end subroutine
subroutine mat(lda, n, a, v)
  implicit none
  integer :: lda, n, i, j
  real(8) :: a(lda,*), v(n)
  do j = 1, n
    do i = 1, n
      v(i) = v(i) + a(i,j)*a(j,i)
    end do
  end do
end subroutine
subroutine cube(n, w)
  implicit none
  integer :: n, i, j, k
  real(8) :: w(n,n,0:n-1)
  do k = 0, n-1
    do j = 1, n
      do i = 1, n
        w(i,j,k) = w(i,j,k)*w(i,j,k)*0.5d0 + k
      end do
    end do
  end do
end subroutine
subroutine head(n, x, y, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n*n*n+5), y(n)
  real(8), intent(out) :: f
  call axpy(n, 1.5d0, x(3), n, y)
  call axpy(n, x(1), x, 1, y(1))
  call mat(n, n-1, x(n+1), y)
  call cube(n, x(4))
  call mat(n+1, 2, x(2), y(2))
  f = sum(x) + dot_product(y, y)
end subroutine
