! How many numbers are read is read by the same statement.
subroutine f(x, y)
  implicit none
  double precision, intent(in) :: x(3)
  double precision, intent(out) :: y
  double precision :: a(3)
  integer :: i, n
  character(len=30) :: text
  a = x**2
  text = '2 0.5 0.25'
  read (text, *) n, (a(i), i = 1, n)
  y = sum(a)
end subroutine
