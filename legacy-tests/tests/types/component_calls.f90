module c2m
  implicit none
  type :: p
    real(8) :: x = 1, y = 2
    integer :: k = 0
    real(8) :: w(3) = 0
  end type
contains
  subroutine reset(t)
    type(p), intent(inout) :: t
    t%x = 3.0d0
    t%w(2) = 1.0d0
  end subroutine
  subroutine part(t, u)
    type(p), intent(inout) :: t
    real(8), intent(in) :: u
    if (u > 0.9d0) t%y = 0.0d0
    t%x = t%x*u
  end subroutine
  subroutine inc(a)
    real(8), intent(inout) :: a(:)
    a = a*a
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(p) :: t, a(3)
    integer :: i
    v = 0
    do i = 1, n
      t%x = u(i)
      t%y = u(i)**2
      t%w = u(i)*[1.0d0, 2.0d0, 3.0d0]
      v = v + t%x*t%y
      call reset(t)
      v = v + t%x*t%y*sum(t%w)
      call part(t, u(i))
      v = v + t%x*t%y + t%x**2
      call inc(t%w)
      call inc(t%w(1:3:2))
      v = v + sum(t%w)
      a = t
      a(2) = p(u(1), 1.0d0, 3, t%w)
      call inc(a(:)%x)
      call inc(a(1:3:2)%y)
      a(1:2) = a(2:3)
      v = v + sum(a%x*a%y) + a(1)%w(2)*a(2)%k
      a(i - i/3*3 + 1)%y = a(1)%x
      v = v*a(2)%y
    end do
  end subroutine
end module
