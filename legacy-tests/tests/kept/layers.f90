! Values that are overwritten in loops, a callee with a tape of its own in each layer, a small tape on
! the stack.
subroutine layers(n, m, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: h(n), small(3)
  integer :: k, i
  h = x
  small = x(1)
  do k = 1, 3
    small(k) = small(k)*exp(-small(k))
    small(k) = sin(small(k))
  end do
  do k = 1, m
    call mix(n, k, h)
    do i = 1, n
      h(i) = h(i)*cos(h(i)) + small(1 + mod(k, 3))
    end do
  end do
  y = sum(h)
end subroutine layers

subroutine mix(n, k, h)
  implicit none
  integer, intent(in) :: n, k
  real(8), intent(inout) :: h(n)
  integer :: i, r
  do r = 1, 2
    do i = 1, n
      h(i) = sin(h(i)) + 0.1d0*h(1 + mod(i + k, n))**2
    end do
  end do
end subroutine mix
