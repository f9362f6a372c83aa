! Loops whose trips nobody knows, in a pure procedure and in an elemental one, and recursion.
module settling
  implicit none
contains
  elemental function root(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = 1 + a
    do while (abs(r*r - a) > 1d-14)
      r = 0.5d0*(r + a/r)
    end do
  end function root

  pure subroutine settle(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: s(n), t
    integer :: i
    s = root(x)
    t = 0
    do while (t < 200)
      do i = 1, n
        s(i) = s(i) + 1d-3*(s(i) - s(i)**2)
        if (s(i) > 1) s(i) = s(i)*(1 - 1d-4*x(i))
      end do
      t = t + 0.05d0*(1 + x(1)**2)
    end do
    y = sum(s**2)
  end subroutine settle

  recursive subroutine nest(depth, n, x, y)
    integer, intent(in) :: depth, n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, n
      x(i) = x(i)*cos(x(i))
    end do
    y = y + sum(x**2)
    if (depth > 0) call nest(depth - 1, n, x, y)
    do i = 1, n
      x(i) = sin(x(i))
    end do
    y = y + x(1)*x(n)
  end subroutine nest
end module settling
