! A list that is built, walked, changed and released.
module m
  implicit none
  type :: node
    real(8) :: v = 0.0d0
    integer :: id = 0
    type(node), pointer :: next => null()
  end type node
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(node), pointer :: first, cur, new
    integer :: i
    nullify (first)
    do i = 1, n
      allocate (new)
      new%v = x(i)**2
      new%id = i
      new%next => first
      first => new
    end do
    y = 0.0d0
    cur => first
    do while (associated(cur))
      y = y + cur%v*cur%id
      cur%v = cur%v*y
      if (cur%id == 3 .and. associated(cur%next)) then
        new => cur%next
        cur%next => new%next
        y = y*new%v
        deallocate (new)
      end if
      cur => cur%next
    end do
    cur => first
    do while (associated(cur))
      y = y + sin(cur%v)
      new => cur%next
      deallocate (cur)
      cur => new
    end do
  end subroutine head
end module m
