! Automatic deallocation at an early return.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable :: w(:)
    integer :: k
    y = 0.0d0
    k = 1
    do while (k < 4)
      if (.not. allocated(w)) allocate (w(n))
      w = x*k
      y = y + sum(w**3)
      if (y > 10.0d0) return
      if (k == 2) deallocate (w)
      k = k + 1
    end do
    y = y*w(1)
  end subroutine head
end module m
