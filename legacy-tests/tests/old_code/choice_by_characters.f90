subroutine f(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8) :: x(n), y
  character(len=3) :: opt
  integer :: i
  y = 0
  do i = 1, n
    write(opt, '(i3)') i
    y = y*merge(x(i), x(i)**2, opt == '  3')
    if (opt == '  4') y = y*x(i)
    select case (opt)
    case ('  5')
       y = y + x(i)
    case ('  6':'  8')
       y = y*x(i) + 1
    end select
  end do
end subroutine
