module a2m
  implicit none
  type :: vec
    real(8) :: x = 1.0d0, y = 2.0d0
  end type
  interface operator(+)
    module procedure addv
  end interface
  interface operator(*)
    module procedure sv, vv
  end interface
  interface operator(.dot.)
    module procedure dotv
  end interface
  interface operator(-)
    module procedure negv
  end interface
  interface assignment(=)
    module procedure fromreal
  end interface
contains
  function addv(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c%x = a%x + b%x
    c%y = a%y + b%y
  end function
  elemental function sv(s, a) result(c)
    real(8), intent(in) :: s
    type(vec), intent(in) :: a
    type(vec) :: c
    c%x = s*a%x
    c%y = s*a%y
  end function
  function vv(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c%x = a%x*b%x - a%y*b%y
    c%y = a%x*b%y + a%y*b%x
  end function
  function dotv(a, b) result(r)
    type(vec), intent(in) :: a, b
    real(8) :: r
    r = a%x*b%x + a%y*b%y
  end function
  function negv(a) result(c)
    type(vec), intent(in) :: a
    type(vec) :: c
    c = vec(-a%x, y=-a%y)
  end function
  subroutine fromreal(a, r)
    type(vec), intent(out) :: a
    real(8), intent(in) :: r
    a%x = r
    a%y = r*r
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v(2)
    type(vec) :: a, b, c
    integer :: i
    b = vec(y=u(1), x=u(2))
    v(2) = a%x
    do i = 1, n
      a = u(i)
      c = a + b*(u(i)*a)
      b = -c*vec(0.1d0, 0.2d0)
    end do
    v(1) = c .dot. (b + a)
    v(2) = v(2) + (a .dot. (a + b))*b%y
  end subroutine
end module
