module e1m
  implicit none
  type :: base
    real(8) :: r = 1.5d0
  contains
    procedure :: val => base_val
    procedure :: tot
  end type
  type, extends(base) :: wide
    real(8) :: k(3) = 0.25d0
  contains
    procedure :: val => wide_val
  end type
contains
  pure function base_val(self, x) result(v)
    class(base), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: v
    v = self%r*x
  end function
  pure function wide_val(self, x) result(v)
    class(wide), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: v
    v = sum(self%k)*x**2 + self%r
  end function
  pure function tot(self, x) result(v)
    class(base), intent(in) :: self
    real(8), intent(in) :: x
    real(8) :: v
    v = self%val(x)*self%val(2*x)
  end function
  subroutine byval(b, y)
    type(base), value :: b
    real(8), intent(inout) :: y
    b%r = b%r**2
    y = y + b%r
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(base) :: b
    type(wide) :: w
    integer :: i
    v = 0
    do i = 1, n
      b%r = u(i)
      w%base = b
      w%k(2) = u(1)*u(i)
      v = v + b%tot(u(1)) + w%tot(u(2))
      call byval(b, v)
      call byval(w%base, v)
      v = v*b%r + w%base%val(u(3))
    end do
  end subroutine
end module
