! A work array of a module that stays from call to call and is enlarged when it is too short.
module work
  real(8), allocatable :: w(:)
  integer :: used = 0
contains
  subroutine ensure(n)
    integer, intent(in) :: n
    if (allocated(w)) then
      if (size(w) < n) deallocate (w)
    end if
    if (.not. allocated(w)) then
      allocate (w(n))
      w = 0.0d0
    end if
  end subroutine ensure
end module work

module m
  use work
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i, k
    y = 0.0d0
    do k = 1, n
      call ensure(2*k)
      do i = 1, k
        w(i) = x(i)*x(k)
      end do
      y = y + sum(w(1:k)**2)
      w(1) = y*x(k)
      y = y + sin(w(1))
    end do
  end subroutine head
end module m
