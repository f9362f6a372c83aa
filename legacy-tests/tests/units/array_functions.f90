! Functions with array results: automatic, of an argument's shape, allocatable, of module size; record results
module f1m
  implicit none
  integer, parameter :: k = 3
  type pair
    real(8) :: a, b(2)
    integer :: n
  end type
contains
  function outer(n, x, s) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), s
    real(8) :: r(n, 2)
    r(:, 1) = x*s
    r(:, 2) = x**2 + s
  end function outer
  function like(x) result(r)
    real(8), intent(in) :: x(:)
    real(8) :: r(size(x))
    integer :: i
    do i = 1, size(x)
      r(i) = sin(x(i))*x(1)
    end do
  end function like
  pure function fixed(a) 
    real(8), intent(in) :: a
    real(8) :: fixed(k)
    fixed = [a, a*a, a**3]
  end function fixed
  type(pair) function mk(a, b)
    real(8), intent(in) :: a, b
    mk%a = a*b
    mk%b = [a, b*b]
    mk%n = 2
  end function mk
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: z(n), w(n, 2), q(k)
    type(pair) :: p
    integer :: i
    w = outer(n, x, x(1))
    z = like(x) + 2*like(w(:, 2))*w(:, 1)
    y = 0
    do i = 1, n
      q = fixed(z(i))
      y = y + sum(q*fixed(x(i))) + sum(fixed(y))*1d-3
      p = mk(q(1), x(i))
      y = y + p%a*p%b(1) + p%b(2)*p%n
    end do
    y = y + sum(like(x(1:n-1)))
  end subroutine head
end module
