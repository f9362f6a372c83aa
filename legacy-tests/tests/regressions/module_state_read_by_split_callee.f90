module m
  implicit none
  real(8) :: g
contains
  subroutine use_g(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = g*g*x*x
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(2)
    g = 2.0d0
    call use_g(x(1), y(1))
    g = 3.0d0
    call use_g(x(2), y(2))
  end subroutine
end module
