! records in module variables, COMMON, saved, parameter; components passed by reference
module b1m
  implicit none
  integer, parameter :: wp = selected_real_kind(12)
  type :: inner
    sequence
    real(wp) :: x
    real(wp) :: y
  end type
  type :: tt
    real(wp) :: a(4) = 0.0_wp
    type(inner) :: t(3)
    integer :: k = 2
  end type
  type(tt) :: g
  type(inner) :: c
  type(inner), parameter :: origin = inner(0.25_wp, 0.75_wp)
contains
  subroutine f(v, w)
    real(wp), intent(inout) :: v(2)
    real(wp), intent(inout) :: w
    v = v*w
    w = w + v(1)
  end subroutine
  subroutine setg(u)
    real(wp), intent(in) :: u(:)
    g%a = u(1:4)**2
    g%t%x = u(2)
    g%t(2)%y = u(3)
    g%t(1)%y = 1
    g%t(3)%y = sin(u(1))
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(wp), intent(in) :: u(n)
    real(wp), intent(out) :: v
    type(tt) :: s, p(2)


    integer :: i
    call setg(u)
    s = g
    call f(s%a(2:3), s%t(s%k)%x)
    call f(g%a(1:2), g%t(1)%y)
    p = s
    p(2)%a = p(1)%a*u(1)
    p(1)%t(2:3) = s%t(1:2)
    c = inner(u(1), u(2)*u(3))
    call usec(v)
    do i = 1, 2
      v = v + sum(p(i)%a)*p(i)%t(2)%x + sum(p(i)%t%y)
    end do
    v = v + g%a(1)*g%t(1)%y + origin%x*u(4) + c%x
    p%k = 3
    v = v + p(2)%k*u(2)
  end subroutine
  subroutine usec(v)
    real(wp), intent(out) :: v


    v = c%x*c%y
    c%x = c%x**2
  end subroutine
end module
