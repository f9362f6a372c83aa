! Functions that give pointers, and subroutines that let a pointer of the caller point to what they get.
module m
  type :: field
    integer :: n
    real(8), pointer :: values(:, :) => null(), row(:) => null()
  contains
    procedure :: view
  end type
  real(8), target :: spare(3) = 0.5d0
contains
  function view(self, block) result(p)
    class(field), intent(in) :: self
    integer, intent(in) :: block
    real(8), pointer :: p(:)
    if (block > 0) then
      p => self%values(:, block)
    else
      p => spare
    end if
  end function view

  function larger(a, b) result(p)
    real(8), target, intent(in) :: a, b
    real(8), pointer :: p
    p => a
    if (b > a) p => b
  end function larger

  subroutine point(p, x)
    real(8), pointer :: p(:)
    real(8), target :: x(:)
    p => x
  end subroutine point

  subroutine choose(first, p, a, b)
    logical, intent(in) :: first
    real(8), pointer :: p(:), a(:), b(:)
    if (first) then
      p => a
    else
      p => b
    end if
  end subroutine choose

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(3, n)
    real(8), intent(out) :: y
    type(field) :: f
    real(8), target :: store(3, n), two(2)
    real(8), pointer :: p(:), q(:), r(:)
    integer :: i
    store = x
    f%n = n
    f%values => store
    spare = 0.5d0
    y = 1.0d0
    do i = 1, n
      p => f%view(i)
      q => view(f, i - 1)
      p(1) = p(1)*q(2) + sum(view(f, n))*0.01d0
      y = y*p(1) + q(3)
      q(2) = q(2)*y
    end do
    call point(p, store(:, 1))
    call point(q, spare)
    do i = 1, 3
      call choose(mod(i, 2) == 0, r, p, q)
      r(i) = r(i)*y
      y = y + r(2)**2
    end do
    do i = 1, 2
      call point(r, p)
      p => store(:, n + 1 - i)
      r(1) = r(1)*y
      y = y + r(1)*p(2)
    end do
    f%row => store(:, 2)
    call choose(.true., r, f%row, p)
    call choose(.false., f%row, r, p)
    f%row(3) = f%row(3)*r(2)*y
    y = y + f%row(3)
    two = x(1:2, 1)
    y = y*larger(two(1), two(2))
  end subroutine head
end module m
