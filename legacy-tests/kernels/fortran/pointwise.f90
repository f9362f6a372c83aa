! sum_i exp(sin x_i) x_i.
!
! Independent iterations over an input.  True tape: 0 bytes.
subroutine pointwise(n, x, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: s
  integer :: i

  s = 0.0d0
  do i = 1, n
    s = s + exp(sin(x(i))) * x(i)
  end do
end subroutine pointwise
