! move_alloc, source=, mold=, stat=.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable :: a(:), b(:), c(:)
    integer :: i, ierr
    allocate (a(n), source=x)
    do i = 1, 3
      allocate (b(size(a) + 1), stat=ierr)
      if (ierr /= 0) return
      b(1) = product(a)
      b(2:) = a*a
      call move_alloc(b, a)
    end do
    allocate (c, mold=a)
    c = cos(a)
    y = sum(c)
  end subroutine head
end module m
