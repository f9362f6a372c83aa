subroutine head(n, x, d, y, e)
  implicit none
  integer, intent(in) :: n
  real(4), intent(in) :: x(n)
  real(8), intent(in) :: d(n)
  real(4), intent(out) :: y
  real(8), intent(out) :: e
  integer :: i, k
  real(4) :: s
  complex(4) :: c
  complex(8) :: z
  s = 0
  e = 0
  do i = 1, n
    k = int(d(i)*3)
    s = s + x(i)*d(i)*1e0 + k
    e = e + s*d(i) + x(i)**2/1d1 + real(i)*0.1
    c = cmplx(x(i), s)
    z = c*d(i) + cmplx(d(i), x(i))
    e = e + abs(z) + dble(c) + dprod(x(i), s)
    s = sngl(e)*0.5 + nint(d(i)) + float(k)*x(i)
  end do
  y = s + real(z) + e**2*1e-3
end subroutine
