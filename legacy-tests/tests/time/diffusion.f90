subroutine diffusion(n, nt, c, u, f)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: c(n)
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: f
  integer :: it, i
  real(8) :: v(n), s
  s = 0.d0
  do i = 1, n
    u(i) = u(i)*(1.d0 + 0.1d0*u(i))
  end do
  !$ad checkpoint binomial(3)
  do it = 1, nt
    v(1) = u(1)
    v(n) = u(n)
    do i = 2, n-1
      v(i) = u(i) + c(i)*(u(i-1) - 2.d0*u(i) + u(i+1)) + 0.01d0*u(i)*u(i)
    end do
    do i = 1, n
      u(i) = v(i)
    end do
    s = s + 0.1d0*it*sin(u(2))
  end do
  f = s
  do i = 1, n
    f = f + u(i)*u(i)
  end do
end subroutine diffusion
