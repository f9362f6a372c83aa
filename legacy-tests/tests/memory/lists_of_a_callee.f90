! Lists and pointers of a callee that is called in a loop and returns early.
module m
  type node
    real(8) :: v(3) = 0.0d0
    type(node), pointer :: next => null()
  end type node
contains
  subroutine work(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y
    type(node), pointer :: first, p
    real(8), target :: a(3), b(3)
    real(8), pointer :: cur(:)
    integer :: i, j
    nullify (first)
    a = x(1:3)*y
    b = x(1:3)**2
    do i = 1, n
      if (mod(i, 2) == 0) then
        cur => a
      else
        cur => b
      end if
      do j = 2, 3
        cur(j) = cur(j)*cur(j - 1) + 0.1d0*x(i)
      end do
      if (cur(3) > 2.0d0) cycle
      allocate (p)
      p%v = cur
      p%next => first
      first => p
    end do
    do while (associated(first))
      p => first
      do j = 1, 3
        y = y + 0.1d0*p%v(j)**2
      end do
      first => p%next
      deallocate (p)
      if (y > 40.0d0) then
        do while (associated(first))
          p => first%next
          deallocate (first)
          first => p
        end do
        return
      end if
    end do
    y = y*1.01d0
  end subroutine work
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: k
    y = 0.5d0
    do k = 3, n
      call work(k, x, y)
    end do
  end subroutine head
end module m
