module m
  implicit none
  real, parameter :: pi = 3.14159265
  real, parameter :: piinv = 1.0/pi
contains
  subroutine top(x, y)
    real(8) :: x, y
    real pi
    pi = 2.0
    y = x*pi*piinv
  end subroutine
end module
