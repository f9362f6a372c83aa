module a3m
  implicit none
  type :: base
    real(8) :: r = 0.5d0
  contains
    procedure :: grow
    procedure :: val => base_val
    procedure, nopass :: cube
    generic :: g => grow, grow2
    procedure, pass(self) :: grow2
  end type
  type, extends(base) :: child
    real(8) :: q
  end type
contains
  subroutine grow(self, f)
    class(base), intent(inout) :: self
    real(8), intent(in) :: f
    self%r = self%r*f
  end subroutine
  subroutine grow2(f, g, self)
    real(8), intent(in) :: f, g
    class(base), intent(inout) :: self
    self%r = self%r*f + g
  end subroutine
  function base_val(self) result(v)
    class(base), intent(in) :: self
    real(8) :: v
    v = self%r**2
  end function
  function cube(x) result(v)
    real(8), intent(in) :: x
    real(8) :: v
    v = x**3
  end function
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(base) :: b
    type(child) :: c
    integer :: i
    c%q = u(1)
    v = 0
    do i = 1, n
      b%r = u(i)
      call b%grow(u(1))
      call b%g(2.0d0, u(2))
      call c%grow(u(i))
      call c%g(c%q)
      v = v + b%val() + b%cube(u(i))*c%val() + c%base%r
    end do
  end subroutine
end module
