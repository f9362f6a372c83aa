! A pointer into an array that is allocated once; assignments to it never reallocate.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable, target :: a(:)
    real(8), pointer :: p(:)
    integer :: k
    allocate (a(n))
    a = x
    y = 0.0d0
    p => a(2:n)
    do k = 1, 3
      p(k) = p(k)*a(k)
      y = y + p(k)*a(1)
      p => a(k:n)
      a(k) = a(k)*p(2)
      y = y + p(1)**2
    end do
    deallocate (a)
  end subroutine head
end module m
