! Functions whose value is allocatable: in expressions, assignments, ALLOCATE, arguments, loops.
module m
  type :: pair
    real(8) :: a, b
  end type
contains
  function made(n, x) result(w)
    integer, intent(in) :: n
    real(8), intent(in) :: x(:)
    real(8), allocatable :: w(:)
    integer :: i
    allocate (w(0:n - 1))
    do i = 0, n - 1
      w(i) = x(i + 1)*x(n)
    end do
  end function made

  function grown(x) result(w)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: w(:)
    w = [x, x(1)*x(1)]
  end function grown

  function number(x) result(v)
    real(8), intent(in) :: x
    real(8), allocatable :: v
    if (x > 0.0d0) then
      v = x*x
    else
      allocate (v)
      v = sin(x)
    end if
  end function number

  function both(x) result(p)
    real(8), intent(in) :: x
    type(pair), allocatable :: p
    allocate (p)
    p%a = x*x
    p%b = cos(x)
  end function both

  function total(x) result(t)
    real(8), intent(in) :: x(:)
    real(8) :: t
    t = sum(x**2)
  end function total

  subroutine head(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y, z(n)
    real(8), allocatable :: v(:)
    integer :: i
    y = 0.0d0
    do i = 1, n
      v = made(i, x)
      y = y + sum(v)*x(i) + total(grown(v))*0.1d0
      y = y*number(x(i)) + number(-y)
    end do
    z = made(n, x)*2.0d0 + x
    z(1:2) = z(1:2)*made(2, z)
    v = grown(grown(made(2, z)))
    y = y + v(size(v))
  end subroutine head
end module m
