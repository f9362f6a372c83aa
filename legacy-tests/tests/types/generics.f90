! generics by rank and kind, user overloads of intrinsics, elemental, generic with same name as type
module b2m
  implicit none
  type :: num
    real(8) :: v, w
  end type
  interface num
    module procedure num_from_real, num_from_two
  end interface
  interface sqrt
    module procedure num_sqrt
  end interface
  interface abs
    module procedure num_abs
  end interface
  interface total
    module procedure total1, total2, total4
  end interface
  interface operator(+)
    module procedure add, add_r
  end interface
  interface operator(**)
    module procedure powi
  end interface
  interface operator(<)
    module procedure lt
  end interface
  interface operator(.inv.)
    module procedure inv
  end interface
contains
  pure function num_from_real(x) result(n)
    real(8), intent(in) :: x
    type(num) :: n
    n%v = x
    n%w = 1
  end function
  pure function num_from_two(x, k) result(n)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    type(num) :: n
    n = num(v=x*k, w=x)
  end function
  elemental function num_sqrt(a) result(b)
    type(num), intent(in) :: a
    type(num) :: b
    b%v = sqrt(a%v)
    b%w = 0.5d0*a%w/b%v
  end function
  elemental function num_abs(a) result(r)
    type(num), intent(in) :: a
    real(8) :: r
    r = sqrt(a%v**2 + a%w**2)
  end function
  elemental function add(a, b) result(c)
    type(num), intent(in) :: a, b
    type(num) :: c
    c = num(a%v + b%v, a%w + b%w)
  end function
  elemental function add_r(a, b) result(c)
    type(num), intent(in) :: a
    real(8), intent(in) :: b
    type(num) :: c
    c = a
    c%v = c%v + b
  end function
  elemental function powi(a, k) result(c)
    type(num), intent(in) :: a
    integer, intent(in) :: k
    type(num) :: c
    c%v = a%v**k
    c%w = k*a%v**(k-1)*a%w
  end function
  elemental logical function lt(a, b)
    type(num), intent(in) :: a, b
    lt = a%v < b%v
  end function
  elemental function inv(a) result(c)
    type(num), intent(in) :: a
    type(num) :: c
    c%v = 1/a%v
    c%w = -a%w/a%v**2
  end function
  function total1(x) result(s)
    real(8), intent(in) :: x(:)
    real(8) :: s
    s = sum(x)
  end function
  function total2(x) result(s)
    real(8), intent(in) :: x(:,:)
    real(8) :: s
    s = sum(x**2)
  end function
  function total4(x) result(s)
    real(4), intent(in) :: x(:)
    real(8) :: s
    s = 2*sum(x)
  end function
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(num) :: a, b, c(4), d(4)
    real(8) :: m(2, 2), q(4)
    integer :: i
    a = num(u(1))
    b = num(u(2), 3)
    if (a < b) then
      a = a + b**2
    else
      a = .inv. a**2 + b
    end if
    c = sqrt(a + u(1:4))
    d = c + a
    d(2:3) = d(1:2) + 1.5d0
    do i = 1, 4
      q(i) = abs(d(i))
    end do
    m(:, 1) = u(1:2); m(:, 2) = u(3:4)
    v = abs(a) + sum(abs(c)) + total(u) + total(m) + total(q) + sqrt(u(3)) + abs(-u(2))
    v = v + sum(d%w)
  end subroutine
end module
