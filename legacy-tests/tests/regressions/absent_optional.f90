subroutine opt(n, x, y, w)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), intent(inout), optional :: w(n)
  integer :: i
  y = 0
  do i = 1, n
    if (present(w)) w(i) = sin(w(i)*x(i))
    if (present(w)) w(i) = w(i)*w(i)
    y = y + x(i)**2
    if (present(w)) y = y + w(i)
  end do
end subroutine
module mm
contains
subroutine head(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: t(n), z
  interface
    subroutine opt(n, x, y, w)
      integer, intent(in) :: n
      real(8), intent(in) :: x(n)
      real(8), intent(out) :: y
      real(8), intent(inout), optional :: w(n)
    end subroutine
  end interface
  t = x
  call opt(n, x, y)
  call opt(n, x, z, t)
  y = y*z
end subroutine
end module
