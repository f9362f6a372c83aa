subroutine f(x, y)
  implicit none
  double precision, intent(inout) :: x
  double precision, intent(out) :: y
  character(len=40) :: text
  integer :: i, ios
  text = '0.5'
  y = 0
  ios = 1
  do i = 1, 3
    y = y + x**2*i
    if (i == 2) read (text, *, iostat=ios) x
    if (ios == 0) y = y*x
    x = x*y
  end do
end subroutine
