! A head in a module: an assumed shape, an optional argument, a saved count, a label in the middle.
module m
  implicit none
contains
  recursive subroutine f(x, *, y, w)
    real(8), intent(inout) :: x(:)
    real(8), intent(out) :: y
    real(8), intent(in), optional :: w
    real(8), save :: last = 1
    integer :: i
    y = last
    do i = 1, size(x)
      if (x(i) < 0) then
        y = y*x(1)
        return 1
      end if
      y = y + x(i)**2
      x(i) = y
    end do
    if (present(w)) y = y*w
    last = 2
  end subroutine
end module
