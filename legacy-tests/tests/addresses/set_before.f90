module module_of_pointers
  implicit none
  type holder
    real(8), pointer :: p(:)
  end type
  real(8), target :: a(2) = [1d0, 2d0]
  type(holder) :: h
contains
  subroutine init()
    h%p => a
  end subroutine
  subroutine by_name(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    h%p(1) = x**2
    y = a(1)*x
  end subroutine
end module
module users
  use module_of_pointers
  implicit none
contains
  subroutine by_argument(h2, x, y)
    type(holder), intent(in) :: h2
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    h2%p(1) = x**2
    y = a(1)*x
  end subroutine
  subroutine both(h2, b, x, y)
    type(holder), intent(in) :: h2
    real(8), target :: b(2)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    h2%p(1) = x**2
    y = b(1)*x
  end subroutine
  subroutine through_both(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8), target :: c(2)
    type(holder) :: g
    g%p => c
    c = 1
    call both(g, c, x, y)
  end subroutine
end module
