! Increments of their own carry the subscripts from one iteration to the next.
subroutine axpy(n, a, x, incx, y, incy)
  implicit none
  integer, intent(in) :: n, incx, incy
  real(8), intent(in) :: a, x(*)
  real(8), intent(inout) :: y(*)
  integer :: i, ix, iy
  ix = 1; iy = 1
  if (incx < 0) ix = (-n+1)*incx + 1
  if (incy < 0) iy = (-n+1)*incy + 1
  do i = 1, n
    y(iy) = y(iy) + a*x(ix)
    ix = ix + incx
    iy = iy + incy
  end do
end subroutine
subroutine head(n, x, p, y, r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n,n), p
  real(8), intent(out) :: y(n)
  real(8), intent(inout) :: r(2*n)
  real(8) :: w(n,n)
  integer :: j
  w = x
  do j = 1, n-1
    call axpy(n, p*w(1,j), w(1,j), 1, w(1,j+1), 1)
    call axpy(n-1, w(j,j), w(j,1), n, w(1,n), -1)
  end do
  call axpy(n, p, r, 2, r(2), 2)
  call axpy(n/2, r(1), r(1), 1, r(n+1), -1)
  y = w(n,:)*w(:,n)
end subroutine
