subroutine f(x, n, y)
  implicit none
  double precision, intent(in) :: x(3)
  integer, intent(in) :: n
  double precision, intent(out) :: y(6)
  integer :: k
  k = ishft(n, 2) + ibset(n, 3) + ishftc(n, 1) + ieor(n, 5) &
  + shiftl(n, 1) + shiftr(n, 1) + popcnt(n) + merge(1, 0, btest(n, 0)) + ibits(n, 0, 2)
  y(1) = x(1)*k
  y(2) = x(2)*exponent(8.5d0)*fraction(3d0)*scale(1d0, 3)*spacing(1d0)*1d15*nearest(1d0, 1d0)&
 *set_exponent(1d0, 2)*rrspacing(3d0)*1d-15
  y(3) = x(3)*transfer(2d0, 1d0)*epsilon(1d0)*1d15*huge(1)*1d-9&
 *radix(1)*digits(1d0)*kind(1d0)*range(1d0)&
 *maxexponent(1d0)*minexponent(1d0)*1d-8
  y(4) = x(1)*tiny(1d0)*1d308*precision(1.0)*selected_real_kind(12)*bit_size(1)*storage_size(1d0)
  y(5) = x(1)**n + ceiling(2.3d0)*x(2)*real(n, 8)*dble(n)*int(2.7)
  y(6) = x(3)*len_trim('abc ')*index('hello', 'l')*ichar('a')*scan('hello','l')
end subroutine
