! Assignments give an allocatable another shape, in a loop.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable :: a(:)
    integer :: i
    a = [x(1)*x(2)]
    do i = 1, n
      a = [a, a(i)*x(i)]
      a = a*x(i)
    end do
    a = a(2:n)
    y = sum(a**2)
  end subroutine head
end module m
