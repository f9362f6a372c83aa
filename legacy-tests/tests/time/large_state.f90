! A state that is large for the memory that the test allows, over many steps.
subroutine stir(n, steps, x, u, y)
  implicit none
  integer, intent(in) :: n, steps
  real(8), intent(in) :: x
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: y
  integer :: it, i
  u(1) = x
  !$ad checkpoint disk(20, 2)
  do it = 1, steps
    do i = 2, n
      u(i) = u(i) + 0.1d0*(u(i-1) - u(i)*u(i))
    end do
    u(1) = u(1)*0.99d0 + 0.001d0*u(n)
  end do
  y = 0.d0
  do i = 1, n
    y = y + u(i)
  end do
end subroutine stir
