subroutine f(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i, j
  y = 0
  do i = 1, n
    if (x(i) > 1) then
      if (mod(i, 2) == 0) goto 10
      y = y + x(i)
      if (y > 3) goto 20
      y = y*x(i)
10  end if
    do j = i, n
      if (x(j) < x(i)) goto 15
      y = y + x(i)*x(j)/10
      if (j == 4) goto 20
15  end do
    y = y + 1
20 end do
  outer: select case (n)
  case (:3)
    if (y > 2) exit outer
    y = y*x(1)
  case default
    y = y*x(2)
    if (n > 5) go to 30
    y = y + x(3)
30 end select outer
  if (y > 1.0e3_8) go to 99
  y = y + sin(x(1))
99 end subroutine
