subroutine f(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8) :: x(n), y, r(3), t
  integer :: i, c, st(8), k
  character(len=10) :: d
  y = 0
  k = 0
  call random_number(r)
  do i = 1, n
    call system_clock(count=c)
    call cpu_time(t)
    call date_and_time(values=st, date=d)
    call mvbits(i, 0, 2, k, 1)
    if (i == 2) call get_command_argument(0, d)
    y = y + x(i)**2*k
  end do
  if (y < -1e30) call exit(3)
end subroutine
