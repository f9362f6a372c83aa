subroutine head(n0, x, y)
  implicit none
  integer, intent(in) :: n0
  real(8), intent(in) :: x(n0)
  real(8), intent(out) :: y
  integer :: m
  m = n0
  call inner(m, x, y)
contains
  subroutine inner(n, x, y)
    integer, intent(inout) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: w(n)
    integer :: k
    k = bump(n)
    w = x*x
    w = w*w + k
    y = sum(w*w)
  end subroutine
  integer function bump(j)
    integer, intent(inout) :: j
    j = j - 2
    bump = j
  end function
end subroutine
