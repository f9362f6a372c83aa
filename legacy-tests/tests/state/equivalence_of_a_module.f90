module m
  implicit none
  real(8), private :: a(4), b
  equivalence (a(2), b)
  save
contains
  subroutine put(x)
    real(8), intent(in) :: x
    a = x
    b = b*x
  end subroutine
  function get(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = sum(a)*b*x
    a(2) = a(2) + x
  end function
end module
subroutine head(x, y)
  use m
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  call put(x)
  y = get(x)
  y = y + get(2*x)
end subroutine
