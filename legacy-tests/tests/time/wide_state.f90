! A state that fills memory, whose step is cheap: each number relaxes by itself.
subroutine relax(n, steps, x, u, y)
  implicit none
  integer, intent(in) :: n, steps
  real(8), intent(in) :: x
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: y
  integer :: it, i
  !$ad checkpoint disk(40, 3)
  do it = 1, steps
    do i = 1, n
      u(i) = u(i) + 1.d-3*(x - u(i)*u(i))
    end do
  end do
  y = 0.d0
  do i = 1, n
    y = y + u(i)
  end do
end subroutine relax
