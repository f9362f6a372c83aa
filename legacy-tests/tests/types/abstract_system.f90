! An abstract type without numbers, whose procedures work on a type that extends it.
module ode
  implicit none
  type, abstract :: system
    integer :: n = 0
  contains
    procedure(rhs_i), deferred :: rhs
    procedure :: step => euler
  end type
  abstract interface
    subroutine rhs_i(self, y, f)
      import :: system
      class(system), intent(in) :: self
      real(8), intent(in) :: y(:)
      real(8), intent(out) :: f(:)
    end subroutine
  end interface
  type, extends(system) :: lotka
    real(8) :: a = 1, b = 1
  contains
    procedure :: rhs => lotka_rhs
  end type
contains
  subroutine euler(self, y, h)
    class(system), intent(in) :: self
    real(8), intent(inout) :: y(:)
    real(8), intent(in) :: h
    real(8) :: f(size(y))
    call self%rhs(y, f)
    y = y + h*f
  end subroutine
  subroutine lotka_rhs(self, y, f)
    class(lotka), intent(in) :: self
    real(8), intent(in) :: y(:)
    real(8), intent(out) :: f(:)
    f(1) = self%a*y(1) - y(1)*y(2)
    f(2) = -self%b*y(2) + y(1)*y(2)
  end subroutine
end module
subroutine run(n, x, y)
  use ode
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(2)
  type(lotka) :: s
  integer :: i
  s%n = 2
  s%a = x(1); s%b = x(2)
  y = x(3:4)
  do i = 1, 10
    call s%step(y, 0.1d0*x(5))
  end do
end subroutine
