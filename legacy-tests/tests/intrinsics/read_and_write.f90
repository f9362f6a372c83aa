subroutine f(x, y)
  implicit none
  double precision, intent(in) :: x(3)
  double precision, intent(out) :: y(2)
  double precision :: a, b(3), c
  character(len=40) :: text
  a = x(1)**2
  b = x*2
  c = x(3)
  text = '0.5 0.25 3.0'
  y(1) = a*b(1)
  read (text, *) a, b(2)
  y(1) = y(1) + a*x(2)
  y(2) = b(1)*b(2)*b(3) + a
  write (text, '(f20.10)') y(1)
  read (text, *) c
  y(2) = y(2)*(1 + 0*c)
  write (text, '(2f15.8)') y(2), c
end subroutine
