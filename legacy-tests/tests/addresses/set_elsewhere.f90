! Pointers that an earlier call let show `w`, and that only what the head calls follows.
module shown
  implicit none
  type holder
    real(8), pointer :: p(:) => null()
  end type
  real(8), target, save :: w(5)
  real(8), pointer, save :: gp(:), passed(:)
  type(holder), save :: g
contains
  subroutine init()
    w = 0.5d0
    gp => w
    g%p => w
    call lead(passed, w)
  end subroutine
  subroutine lead(p, a)
    real(8), pointer :: p(:)
    real(8), target :: a(:)
    p => a
  end subroutine
  subroutine by_pointer(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y
    w = x
    call step_pointer(x(1))
    y = w(1)*sin(x(2))
  end subroutine
  subroutine step_pointer(v)
    real(8), intent(in) :: v
    gp(1) = sin(gp(1))*v + gp(2)
  end subroutine
  ! Who lets the pointer point gets it as an argument.
  subroutine by_passed(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y
    w = x
    call step_passed(x(1))
    y = w(1)*sin(x(2))
  end subroutine
  subroutine step_passed(v)
    real(8), intent(in) :: v
    passed(1) = sin(passed(1))*v
  end subroutine
  subroutine by_component(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y
    w = x
    call step_component(x(1))
    y = w(1)*sin(x(2))
  end subroutine
  subroutine step_component(v)
    real(8), intent(in) :: v
    g%p(1) = sin(g%p(1))*v + g%p(2)
  end subroutine
  subroutine by_whole(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y
    w = x
    g%p = sin(g%p)*x(1)
    y = w(1)*sin(x(2))
  end subroutine
  ! The callee writes what its caller has used: that is not active, but wanted.
  subroutine by_passive(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y
    w = 2
    y = w(1)*sin(x(2))
    y = y*w(1)*x(1)
    call clear()
    y = y + x(3)**2
  end subroutine
  subroutine clear()
    gp = 7
  end subroutine
end module
