! An external procedure with optional arguments, whose interface stands in a module; passively called
! from the derivative as well.
module faces
  implicit none
  interface
    subroutine scaled(n, x, y, by)
      integer, intent(in) :: n
      real(8), intent(in) :: x(:)
      real(8), intent(out) :: y(n)
      real(8), intent(in), optional :: by
    end subroutine
  end interface
end module
subroutine scaled(n, x, y, by)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(:)
  real(8), intent(out) :: y(n)
  real(8), intent(in), optional :: by
  y = x(:n)**2
  if (present(by)) y = y*by
end subroutine
subroutine head(n, x, f)
  use faces, only: scaled
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: f
  real(8) :: y(n), weights(n), fixed(n)
  fixed = 3
  call scaled(n, fixed, weights)
  call scaled(n, x, y, x(1))
  f = dot_product(y, weights)
end subroutine
