! Rank two, lower bounds, complex and integer arrays, scalars; recursion with memory of its own.
module m
contains
  recursive subroutine down(k, x, y)
    integer, intent(in) :: k
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y
    real(8), allocatable :: w(:)
    if (k == 0) return
    allocate (w(k))
    w = x(1:k)*y
    call down(k - 1, w, y)
    y = y + sum(w)*0.1d0 + w(k)**2
  end subroutine down

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    complex(8), allocatable :: c(:, :)
    integer, allocatable :: order(:)
    real(8), allocatable :: s
    logical, allocatable :: mask(:)
    integer :: i, k
    y = 0.5d0
    do k = 1, n
      allocate (c(-1:k, 0:2), order(k), mask(0:k - 1))
      do i = 1, k
        order(i) = k + 1 - i
        mask(i - 1) = x(i) > 0.7d0
      end do
      if (k > 3) then
        order = order([(mod(i, k) + 1, i = 1, k)])
      end if
      c(-1, :) = cmplx(x(k), y, 8)
      do i = 0, k
        c(i, :) = c(i - 1, :)*cmplx(x(max(order(max(i, 1)), 1)), 0.3d0, 8)
        if (i > 0) then
          if (mask(i - 1)) c(i, 1) = c(i, 0)*c(i, 2)
        end if
      end do
      s = real(c(k, 1))
      y = y + 0.1d0*s + aimag(sum(c))*0.01d0
      if (mod(k, 2) == 1) deallocate (s)
      deallocate (c, mask, order)
      if (allocated(s)) y = y + s*x(k)
    end do
    call down(n, x, y)
  end subroutine head
end module m
