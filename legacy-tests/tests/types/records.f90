module a1m
  implicit none
  type :: pt
    real(8) :: x, y
    integer :: id
  end type
  type :: seg
    type(pt) :: a, b
    real(8) :: w(3)
  end type
contains
  subroutine scale_seg(s, f)
    type(seg), intent(inout) :: s
    real(8), intent(in) :: f
    s%a%x = s%a%x*f
    s%b%y = s%b%y*f**2
    s%w = s%w*s%a%x
  end subroutine
  function len2(s) result(r)
    type(seg), intent(in) :: s
    real(8) :: r
    r = (s%a%x - s%b%x)**2 + (s%a%y - s%b%y)**2 + sum(s%w)
  end function
  function mk(x, y) result(p)
    real(8), intent(in) :: x, y
    type(pt) :: p
    p%x = x*y
    p%y = sin(x)
    p%id = 3
  end function
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(seg) :: s(n)
    type(seg) :: t
    type(pt) :: q
    integer :: i
    do i = 1, n
      s(i)%a = pt(u(i), u(i)**2, i)
      q = mk(u(i), 2.0d0)
      s(i)%b = q
      s(i)%w = [u(i), 2*u(i), u(i)*u(1)]
    end do
    v = 0
    do i = 1, n
      t = s(i)
      call scale_seg(t, u(n))
      v = v + len2(t) + t%a%id*t%a%y
    end do
    v = v + sum(s(:)%a%x*s(:)%b%y)
  end subroutine
end module
