! A work array of another size in each pass, freed at the end of the pass.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable :: w(:)
    integer :: i, k
    y = 0.0d0
    do k = 1, n
      allocate (w(0:k))
      w(0) = x(k)
      do i = 1, k
        w(i) = w(i - 1)*sin(x(i))
      end do
      do i = 0, k
        y = y + w(i)**2
      end do
      deallocate (w)
    end do
  end subroutine head
end module m
