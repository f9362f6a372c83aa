! bound functions in expressions, nested, as arguments, bound arrays, elemental bound, pass names, bound operators and assignment
module d1m
  implicit none
  type :: v3
    real(8) :: c(3) = 0
  contains
    procedure :: norm2 => v3_norm2
    procedure :: plus
    procedure :: scaled
    procedure, pass(b) :: lscale
    procedure :: copy
    procedure :: from_real
    generic :: operator(+) => plus
    generic :: operator(*) => scaled, lscale
    generic :: assignment(=) => from_real
    procedure :: dots
    generic :: operator(.dot.) => dots
    procedure :: comps
  end type
  type :: holder
    type(v3) :: v(2)
    real(8) :: w = 1
  contains
    procedure :: total
  end type
contains
  elemental function v3_norm2(a) result(r)
    class(v3), intent(in) :: a
    real(8) :: r
    r = a%c(1)**2 + a%c(2)**2 + a%c(3)**2
  end function
  elemental function plus(a, b) result(r)
    class(v3), intent(in) :: a, b
    type(v3) :: r
    r%c = a%c + b%c
  end function
  elemental function scaled(a, s) result(r)
    class(v3), intent(in) :: a
    real(8), intent(in) :: s
    type(v3) :: r
    r%c = a%c*s
  end function
  elemental function lscale(s, b) result(r)
    real(8), intent(in) :: s
    class(v3), intent(in) :: b
    type(v3) :: r
    r%c = b%c*s*2
  end function
  function copy(a) result(r)
    class(v3), intent(in) :: a
    type(v3) :: r
    r = v3(a%c)
  end function
  subroutine from_real(a, x)
    class(v3), intent(inout) :: a
    real(8), intent(in) :: x
    a%c = [x, x**2, x**3]
  end subroutine
  function dots(a, b) result(r)
    class(v3), intent(in) :: a, b
    real(8) :: r
    r = dot_product(a%c, b%c)
  end function
  function comps(a) result(r)
    class(v3), intent(in) :: a
    real(8) :: r(3)
    r = a%c*2
  end function
  function total(h, f) result(r)
    class(holder), intent(in) :: h
    real(8), intent(in) :: f
    real(8) :: r
    r = h%w*f + sum(h%v%norm2())
  end function
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(v3) :: a, b, arr(3)
    type(holder) :: h
    real(8) :: x(3)
    integer :: i
    a = u(1)
    b = a + u(2)*a*u(3)
    v = b%norm2() + ((a + b) .dot. b)
    h%v(1) = a
    h%v(2) = b%copy()
    h%v(2) = h%v(2) + a
    v = v + h%total(h%v(1)%norm2())
    do i = 1, 3
      arr(i) = u(i)*u(1)
    end do
    x = b%comps()
    v = v + sum(arr%norm2()*x) + h%total(h%total(u(4)))
    arr = arr*u(2)
    arr(1:2) = arr(2:3) + arr(1)
    a = arr(1) .dot. arr(2)
    v = v + a%c(3) + sum(arr(2)%c)
    if (arr(1)%norm2() > 0.01d0) v = v*h%v(2)%norm2()
  end subroutine
end module
