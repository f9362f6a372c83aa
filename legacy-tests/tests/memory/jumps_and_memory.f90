! EXIT and CYCLE of outer loops, RETURN and GOTO between allocation and release.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable :: w(:), v(:)
    integer :: i, j
    y = 1.0d0
    outer: do i = 1, n
      if (allocated(w)) deallocate (w)
      allocate (w(i + 1))
      w = x(i)*y
      inner: do j = 1, n
        if (.not. allocated(v)) then
          allocate (v(j:j + i))
          v = w*x(j)
        else
          v(lbound(v, 1)) = v(ubound(v, 1))*y
          if (x(j) > 0.8d0) deallocate (v)
          if (j == 3) cycle outer
          if (.not. allocated(v)) cycle inner
        end if
        y = y + 0.01d0*sum(v)*w(1)
        w = w*1.01d0
        if (y > 50.0d0) exit outer
        if (y > 20.0d0) go to 10
      end do inner
      y = y + w(i)*0.1d0
    end do outer
    if (.not. allocated(v)) return
    y = y*v(lbound(v, 1))
    return
10  y = y*w(2)
    deallocate (w)
    y = y + x(1)
  end subroutine head
end module m
