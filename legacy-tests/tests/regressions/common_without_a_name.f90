subroutine setc(k)
  integer, intent(in) :: k
  integer :: idx
  common /ci/ idx
  idx = k
end subroutine
subroutine usec(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  integer :: idx
  common /ci/ idx
  y = x(idx)*x(idx)
end subroutine
subroutine head(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  call setc(1)
  call usec(x, y(1))
  call setc(3)
  call usec(x, y(2))
end subroutine
