subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, t
  integer :: i, nm1
  nm1 = n - 1
  s = 1
  do i = 1, nm1
    s = sin(s*x(i))
  end do
  y = s
end subroutine
