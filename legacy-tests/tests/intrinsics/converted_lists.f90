subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y(3)
  y(1) = x*(sum([real(8) :: 1, 2])/2)
  y(2) = x*sum([real(4) :: 0.1d0, x])
  y(3) = sum([integer :: 1.7, 2.6])*x*x
end subroutine
