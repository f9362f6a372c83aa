module pp
  implicit none
  abstract interface
    function fun(x) result(y)
      real(8), intent(in) :: x
      real(8) :: y
    end function
  end interface
  abstract interface
    subroutine change(x)
      real(8), intent(inout) :: x(:)
    end subroutine
  end interface
contains
  function sq(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = x*x
  end function
  function cub(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = sin(x)*x
  end function
  function quad(f, a, b) result(q)
    procedure(fun) :: f
    real(8), intent(in) :: a, b
    real(8) :: q
    q = (f(a) + 4*f((a + b)/2) + f(b))*(b - a)/6
  end function
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    procedure(fun), pointer :: f, g
    integer :: i
    v = 0
    f => sq
    g => null()
    do i = 1, n
      v = v + f(u(i))
      if (associated(g)) v = v*g(v)
      if (i == 2) f => cub
      if (i == 3) g => f
      v = v + quad(f, u(i), v)
    end do
    if (associated(f, cub)) v = v*u(1)
  end subroutine
  subroutine double_all(x)
    real(8), intent(inout) :: x(:)
    x = 2*x
  end subroutine
  subroutine fold(x)
    real(8), intent(inout) :: x(:)
    x = sin(x)*x(1)
  end subroutine
  subroutine two_steps(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    procedure(change), pointer :: now, next, other
    real(8) :: x(n)
    integer :: i
    x = u
    nullify (other)
    now => double_all
    next => fold
    do i = 1, n
      call now(x)
      other => now
      now => next
      next => other
      if (x(1) > 0.9d0) call other(x)
      if (associated(now, next)) x = 0
    end do
    v = sum(x)
  end subroutine
  subroutine points_to_nothing(n, u, v, g)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    procedure(fun) :: g
    procedure(fun), pointer :: f
    f => g
    v = f(u(1))
  end subroutine
  subroutine called_with_argument(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    call points_to_nothing(n, u, v, sq)
  end subroutine
end module
