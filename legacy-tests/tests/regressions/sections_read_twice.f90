subroutine dots(n, a, b, s)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b(n)
  real(8), intent(out) :: s
  integer :: i
  s = 0
  do i = 1, n
    s = s + a(i)*b(i)*sin(b(n+1-i))
  end do
end subroutine
subroutine top(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(4)
  call dots(n, x, x, y(1))
  call dots(n-1, x(2:n), x(1:n-1), y(2))
  call dots(n-1, x(1), x(2), y(3))
  call dots(n/2, x(1:n/2), x(n/2+1:), y(4))
end subroutine
