! Elemental subroutines and functions applied to arrays, sections, expressions and vector subscripts.
module e1m
  implicit none
contains
  elemental subroutine rot(a, b, c, n)
    real(8), intent(inout) :: a, b
    real(8), intent(in) :: c
    integer, intent(in), optional :: n
    real(8) :: t
    t = a
    a = c*a - b
    b = c*b + t
    if (present(n)) b = b*n
  end subroutine
  impure elemental function ef(x, y) result(r)
    real(8), intent(in) :: x, y
    real(8) :: r
    r = x*y + sin(x)
  end function
  elemental real(8) function g(x)
    real(8), intent(in) :: x
    if (x > 1) then
      g = x*x
    else
      g = 2*x
    end if
  end function
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), b(n, n)
    integer :: idx(n), i
    idx = [(n + 1 - i, i = 1, n)]
    a = x
    b = g(x) + ef(x, 2.0d0)
    call rot(a, b, x(1, 1))
    call rot(a(:, 1), b(1, :), g(x(2, :)), n)
    call rot(a(:, 2), b(:, 2), c=0.5d0*x(idx, 2), n=idx)
    call rot(a(1, 1), a(2, 1), 0.3d0)
    y = sum(a, 1) + ef(b(:, 1), a(1, :)) + g(g(b(2, :)))
  end subroutine
end module
