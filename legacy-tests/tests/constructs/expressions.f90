subroutine array_ctor(a,n)
  integer n, i
  real a(n)
  a(1:3) = (/ 1., 2., 3. /)
  a = [ (real(i), i=1,n) ]
  a(1:2) = [ real :: 1, 2 ]
end subroutine

subroutine boz_expr(i)
  integer i
  i = int(z'ff') + int(b'01')
end subroutine

subroutine complex_lit(z)
  complex z
  z = (1.0, -2.0) * cmplx(0,1)
end subroutine

subroutine concat_prec(a,b,l)
  character(4) a,b
  logical l
  l = a//b == b//a
end subroutine

subroutine not_prec(a,b,c,r)
  logical a,b,c,r
  r = .not. a .and. b .or. c .eqv. a
end subroutine

subroutine pow_assoc(a,b,c,r)
  real a,b,c,r
  r = a**b**c
end subroutine

subroutine rel_dot(i,a,l)
  integer i
  real a
  logical l
  l = i.eq.1.or.a.lt.1.e-3.and.a.gt.2..or.1.eq.i
end subroutine

subroutine sub_assoc(a,b,c,r)
  real a,b,c,r
  r = a - b - c/b/a*c
end subroutine

subroutine substring(c,a)
  character(8) c, a(3)
  c(2:3) = a(1)(4:5)
end subroutine

subroutine unary_minus_pow(a,b,r)
  real a,b,r
  r = -a**b + (-a)*b - a*b
end subroutine
