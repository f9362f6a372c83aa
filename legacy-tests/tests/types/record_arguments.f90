! record arguments of all intents, out with defaults, results in elements, recursion, optional record, arrays of records dummies
module b3m
  implicit none
  type :: st
    real(8) :: x = 2.0d0
    real(8) :: h(2) = [1.0d0, 3.0d0]
    integer :: n = 1
  end type
contains
  subroutine mkout(a, u)
    type(st), intent(out) :: a
    real(8), intent(in) :: u
    a%x = a%x*u
    a%h(2) = a%h(1)*u
  end subroutine
  subroutine arr(a, f)
    type(st), intent(inout) :: a(:)
    real(8), intent(in) :: f
    integer :: i
    do i = size(a), 1, -1
      a(i)%x = a(i)%x*f
      if (i > 1) a(i - 1)%h = a(i)%h*a(i)%x
    end do
  end subroutine
  subroutine expl(m, a, y)
    integer, intent(in) :: m
    type(st), intent(in) :: a(m)
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, m
      y = y + a(i)%x*a(i)%h(1)
    end do
  end subroutine
  recursive function walk(a, k) result(b)
    type(st), intent(in) :: a
    integer, intent(in) :: k
    type(st) :: b
    if (k == 0) then
      b = a
      b%x = sin(b%x)
    else
      b = walk(st(a%x*1.1d0, a%h, a%n + 1), k - 1)
      b%h(1) = b%h(1) + a%x
    end if
  end function
  subroutine opt(a, b)
    type(st), intent(inout) :: a
    type(st), intent(in), optional :: b
    if (present(b)) then
      a%x = a%x + b%x
    else
      a%x = a%x**2
    end if
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(st) :: a(n), b, c
    integer :: i
    v = 0
    do i = 1, n
      call mkout(a(i), u(i))
    end do
    call arr(a(2:), u(1))
    call arr(a, u(2))
    call expl(n, a, v)
    call expl(2, a(2), v)
    b = walk(a(1), 3)
    a(2) = walk(b, 1)
    call opt(a(2))
    call opt(b, a(2))
    c = b
    do i = 1, n
      c%x = c%x*a(i)%x
      if (c%x > 1.0d2) exit
      b = c
    end do
    v = v + b%x + sum(b%h) + c%x + b%n*a(3)%h(2)
  end subroutine
end module
