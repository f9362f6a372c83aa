subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(2)
  integer :: i
  do i = 1, 2
    call red(n, x, y(i))
  end do
end subroutine
subroutine red(n, a, s)
  integer n
  real(8) a(n), s
  s = sum(a)
  s = s*s
end subroutine
