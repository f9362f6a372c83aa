! Dimensions that are known at run time only, all bounds at once, and the shape of a function's result
! by a component of its argument.
module m
  type :: column
    integer :: n
    real(8) :: scale
  end type
contains
  function levels(c, x) result(z)
    type(column), intent(in) :: c
    real(8), intent(in) :: x
    real(8) :: z(c%n + 1)
    integer :: i
    do i = 1, c%n + 1
      z(i) = c%scale*x**i
    end do
  end function levels

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, 3)
    real(8), intent(out) :: y
    real(8) :: a(0:n - 1, 2:4), b(n, 3)
    integer :: d, low(2), counts(2), i
    type(column) :: c
    a = x
    y = 0.0d0
    low = lbound(a)
    counts = shape(a) + ubound(a) - 2
    do d = 1, 2
      b = cshift(a, d, d)*a + eoshift(a, 1 - d, boundary=x(1, 1)**2, dim=d)
      y = y + sum(b**2)*size(a, d) + real(lbound(a, d)*counts(d), 8)*b(1, d)
      y = y*a(low(1), low(2) + d - 1)
    end do
    c%n = size(x, n - n + 2)
    c%scale = x(2, 2)
    do i = 1, 2
      y = y + sum(levels(c, x(i, 1)))
    end do
    if (all(shape(x) == [n, 3])) y = y*x(n, 3)
  end subroutine head
end module m
