subroutine g(n, a, b, r)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b
  real(8), intent(out) :: r
  integer :: i
  r = 0
  do i = 1, n
    r = r + a(i)*b
  end do
end subroutine
subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  call g(n, x, x(2), y)
end subroutine
