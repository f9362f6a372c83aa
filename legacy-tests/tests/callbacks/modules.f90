module quad
  implicit none
  abstract interface
    function fn(x, p) result(y)
      double precision, intent(in) :: x, p(:)
      double precision :: y
    end function
    subroutine rhs(n, t, y, dy)
      integer, intent(in) :: n
      double precision, intent(in) :: t, y(n)
      double precision, intent(out) :: dy(n)
    end subroutine
  end interface
contains
  subroutine simpson(f, p, a, b, n, s)
    procedure(fn) :: f
    double precision, intent(in) :: p(:), a, b
    integer, intent(in) :: n
    double precision, intent(out) :: s
    double precision :: h, x
    integer :: i
    h = (b - a)/n
    s = 0
    do i = 0, n - 1
      x = a + i*h
      s = s + panel(f, p, x, x + h)
    end do
  end subroutine
  function panel(f, p, a, b) result(v)
    procedure(fn) :: f
    double precision, intent(in) :: p(:), a, b
    double precision :: v
    v = (b - a)/6*(f(a, p) + 4*f(0.5d0*(a + b), p) + f(b, p))
  end function
  subroutine euler(r, n, y, t, steps)
    procedure(rhs) :: r
    integer, intent(in) :: n, steps
    double precision, intent(inout) :: y(n)
    double precision, intent(in) :: t
    double precision :: dy(n)
    integer :: k
    do k = 1, steps
      call r(n, t*k, y, dy)
      y = y + 0.01d0*dy
    end do
  end subroutine
end module
module user
  use quad
  implicit none
  private
  public :: head
contains
  function wave(x, p) result(y)
    double precision, intent(in) :: x, p(:)
    double precision :: y
    y = p(1)*sin(p(2)*x)
  end function
  function hump(x, p) result(y)
    double precision, intent(in) :: x, p(:)
    double precision :: y
    y = exp(-p(1)*x*x) + p(2)
  end function
  subroutine lotka(n, t, y, dy)
    integer, intent(in) :: n
    double precision, intent(in) :: t, y(n)
    double precision, intent(out) :: dy(n)
    integer :: i
    do i = 1, n
      dy(i) = y(i)*(1 - y(mod(i, n) + 1)) + t
    end do
  end subroutine
  subroutine head(p, a, b, y, s)
    double precision, intent(in) :: p(2), a, b
    double precision, intent(inout) :: y(3)
    double precision, intent(out) :: s
    double precision :: s1, s2
    call simpson(wave, p, a, b, 4, s1)
    call simpson(hump, p, a, s1, 3, s2)
    call euler(lotka, 3, y, 0.1d0, 5)
    s = s1*s2 + y(1)
  end subroutine
end module
