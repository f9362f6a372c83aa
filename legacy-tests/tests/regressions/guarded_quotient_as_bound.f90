subroutine head(n, m, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i, k
  real(8) :: t
  y = 1.0d0
  t = 1.0d0
  do k = 1, 2
    if (m > 0) then
      do i = 1, n/m
        t = sin(t*x(i))
        y = y*t
      end do
    end if
  end do
end subroutine
