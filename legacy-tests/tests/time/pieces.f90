! An array made anew in pieces in each step, and one with a gap, which is part of the state.
subroutine pieces(n, m, nt, x, y)
  implicit none
  integer, intent(in) :: n, m, nt
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: v(n), w(n)
  integer :: it, i
  w = 0.5d0
  do it = 1, nt
    v(1) = x(n)
    do i = n - 1, m, -1
      v(i) = x(i)**2
    end do
    do i = 2, m - 1
      v(i) = x(i+1)*x(i)
    end do
    v(n) = sin(x(1))
    do i = 1, n - 1
      if (i /= m) w(i) = 0.3d0*v(i)
    end do
    w(n) = v(1)
    do i = 1, n
      x(i) = 0.9d0*x(i) + 0.01d0*v(i)*w(i)
    end do
  end do
  y = sum(x)
end subroutine
