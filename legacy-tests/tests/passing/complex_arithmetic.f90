subroutine head(n, z, x, w, r)
  implicit none
  integer, intent(in) :: n
  complex(8), intent(in) :: z(n)
  real(8), intent(in) :: x(n)
  complex(8), intent(out) :: w(n)
  real(8), intent(out) :: r
  complex(8) :: t, u
  complex(4) :: s
  integer :: i
  r = 0
  do i = 1, n
    t = z(i)*conjg(z(i)) + cmplx(x(i), -x(i)**2, kind=8)
    u = (1d0, 2d0)/t + t/z(i) - 2*z(i)
    t = sqrt(u) + exp(0.1d0*t) + log(t) + t**3 + t**(-2) + u**(0.5d0) + t**u*0.01d0
    s = cmplx(real(t)*0.25, aimag(t))
    w(i) = t*u + sin(z(i)) + cos(u) + s
    r = r + abs(t) + real(u)*aimag(u) + dble(z(i)) + dimag(w(i)) + real(w(i)*(0d0,1d0))
  end do
  w(1) = w(1) + sum(z*x) + product(z(1:2))
  r = r + abs(sum(w)) + sum(abs(z)**2)
end subroutine
