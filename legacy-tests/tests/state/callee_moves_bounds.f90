module sizes
  integer :: n = 5
contains
  subroutine shrink()
    n = n - 2
  end subroutine
end module
subroutine head(x, y)
  use sizes
  implicit none
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  n = 5
  call inner(x, y)
end subroutine
subroutine inner(x, y)
  use sizes
  implicit none
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(n)
  call shrink()
  w = x*x
  w = w*w
  y = sum(w*w)
end subroutine
