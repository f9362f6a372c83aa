subroutine f(x, s, c, y, t, u)
  implicit none
  double precision, intent(in) :: x(3)
  real, intent(in) :: s(3)
  complex, intent(in) :: c
  double precision, intent(out) :: y(3)
  real, intent(out) :: t(3)
  complex(8), intent(out) :: u
  y(1) = dsqrt(x(1)) + &
    dabs(x(2)) + dmax1(x(1), x(2), x(3)) + dmod(x(1), .3d0) + dlog(x(1)) + dexp(x(2)) + dtan(x(1))
  y(2) = dsign(x(1), -x(2)) + &
    ddim(x(1), x(2)) + dint(x(1))*x(2) + dnint(x(1))*x(3) + &
    datan2(x(1), x(2)) + dble(s(1)) + idint(x(1))*x(1)
  y(3) = dprod(s(1), s(2)) + &
    dlog10(x(1)) + dmin1(x(1), x(2)) + dasin(x(1)/2) + derf(x(1)) + dcosh(x(2)) + dgamma(2d0)
  t(1) = alog(s(1)) + &
    alog10(s(2)) + amax1(s(1), s(2)) + amin1(s(1), s(3)) + amod(s(1), 0.4) + sngl(x(1)) + float(2)*s(1)
  t(2) = cabs(c) + &
    aimag(c) + real(c)*s(1) + abs(c*2)
  t(3) = cos(s(1)) + &
    iabs(-2)*s(1) + max0(1, 2)*s(2) + amax0(1, 3)*s(3) + isign(2, -1)*s(1)
  u = dcmplx(x(1), x(2))*conjg(dcmplx(c)) + csqrt(c) + cexp(c) + clog(c) + ccos(c) + csin(c)
  u = u*cmplx(x(3), x(1), kind=8) + sqrt(dcmplx(x(1), -x(2))) + dconjg(u)
end subroutine
