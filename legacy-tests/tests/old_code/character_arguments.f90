subroutine g(opt, x, y)
  implicit none
  character(len=*), intent(in) :: opt
  real(8) :: x, y
  select case (opt)
  case ('  3')
     y = y*sin(x)
  case ('  4')
     y = y + x*y
  case default
     y = y + x**2
  end select
end subroutine
subroutine f(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8) :: x(n), y
  character(len=3) :: opt
  integer :: i
  y = 1
  do i = 1, n
    write(opt, '(i3)') i
    call g(opt, x(i), y)
    opt(2:2) = 'B'
    call g(opt//'C', x(i), y)
  end do
end subroutine
