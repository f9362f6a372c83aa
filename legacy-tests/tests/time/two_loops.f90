! Two time loops over the same state; a local whose last value is used; a zero-trip loop.
subroutine two(n, n1, n2, x, y)
  implicit none
  integer, intent(in) :: n, n1, n2
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: u(n), last, w
  integer :: it, i
  u = x
  last = x(1)
  w = 1.d0
  do it = n1, 1, -1
    last = u(1)*u(n)
    do i = 1, n
      u(i) = u(i) - 0.01d0*it*last*u(i)**2
    end do
    if (it > 3) w = w*cos(u(2))
  end do
  u(2) = u(2)*w
  do it = 1, n2, 3
    do i = n, 2, -1
      u(i) = 0.9d0*u(i) + 0.1d0*u(i-1)*last
    end do
    last = last + u(n)/(1.d0 + it)
  end do
  y = u*last
end subroutine two
