! Loops that count by hand: upwards, downwards, with a bound in a record that the body writes beside,
! with a bound that the body changes, and with a counter that goes on after the loop.
module grids
  implicit none
  type grid
    integer :: n, last
    real(8), allocatable :: v(:)
  end type
contains
  subroutine shorten(g)
    type(grid), intent(inout) :: g
    if (g%v(g%last) > 0.3d0) g%last = g%last - 1
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(grid) :: g
    real(8) :: s
    integer :: i, k
    g%n = n
    g%last = n
    allocate(g%v(n))
    i = 1
    do while (i <= g%n)
      g%v(i) = sin(x(i))
      i = i + 1
    end do
    s = i
    do while (i > 2)
      s = sin(s*g%v(i - 1))
      i = i - 1
    end do
    k = 1
    do while (k <= g%last)
      s = s*cos(g%v(k)) + k
      call shorten(g)
      k = k + 1
    end do
    do while (i <= n)
      if (s > 100d0) exit
      s = s + g%v(i)*s
      i = i + 1
    end do
    do while (k < n)
      s = s + sin(s)*k
      k = k + 2
    end do
    y = s + i*g%v(1) + k*g%v(2)
  end subroutine
end module
