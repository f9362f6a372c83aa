subroutine f(x, y)
  implicit none
  double precision, intent(inout) :: x(2)
  double precision, intent(out) :: y
  character(len=40) :: text(3)
  double precision :: w
  integer :: i
  text = ['0.5 2.5', 'abcdefg', '1.5 3.5']
  y = x(1)
  do i = 1, 3
    w = x(1)*i
    read (text(i), *, err=10) w, x(2)
    y = y + w*x(2)
    cycle
10  y = y*x(2) + w
  end do
end subroutine
