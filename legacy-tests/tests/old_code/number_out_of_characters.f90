subroutine f(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8) :: x(n), y
  character(len=20) :: opt
  integer :: i
  y = 0
  do i = 1, n
    write(opt, '(i3)') i
    opt = adjustl(opt)
    y = y*x(i) + len_trim(opt)*x(i)
  end do
end subroutine
