subroutine f(x, y)
  implicit none
  double precision, intent(in) :: x(6)
  double precision, intent(out) :: y(2)
  double precision :: a(6), b(2, 3), c
  integer :: i, j
  character(len=60) :: text
  a = x**2
  b = reshape(x, [2, 3])
  text = '0.5 0.25 3.0 1.5 2.5 0.75'
  y(1) = a(1)*b(1, 2)
  read (text, *) (a(i), i = 1, 5, 2), c
  y(1) = y(1)*c + sum(a*x)
  read (text, *) ((b(i, j), i = 1, 2), j = 1, 2)
  y(2) = sum(b*x(3))*y(1)
  y(2) = y(2)*x(1)
end subroutine
