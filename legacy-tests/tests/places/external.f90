! An external procedure whose arguments ask for an interface.
subroutine outside(x, y, w, k)
  implicit none
  real(8), intent(in) :: x(:)
  real(8), allocatable, intent(inout) :: y(:, :)
  real(8), optional, intent(in) :: w
  real(8), allocatable, intent(in) :: k
  integer :: i
  do i = 1, size(x)
    y(1, i) = y(1, i)*x(i)*k
  end do
  if (present(w)) y(2, 1) = w*x(1)
end subroutine

module tables
  implicit none
  real(8), private :: table(3) = 1
contains
  subroutine fill(first)
    real(8), intent(in) :: first
    table = [first, 2*first, 3*first]
    print *, 'filled'
  end subroutine
  subroutine look(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = table(2)*x**2
    table(2) = table(2)*2
  end subroutine
end module
