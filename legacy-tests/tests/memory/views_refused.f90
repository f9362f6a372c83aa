! A function that gives a pointer and calls itself: its body cannot stand in the caller.
module m
contains
  recursive function nearest_one(x, i) result(p)
    real(8), target, intent(in) :: x(:)
    integer, intent(in) :: i
    real(8), pointer :: p
    if (i > size(x)) then
      p => nearest_one(x, i - 1)
    else
      p => x(i)
    end if
  end function nearest_one

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), target :: store(n)
    real(8), pointer :: p
    store = x
    p => nearest_one(store, n + 1)
    p = p*p
    y = sum(store)
  end subroutine head
end module m
