! Entries of a module's procedures, with results of their own names.
module m
  implicit none
contains
  function first(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r, s
    r = exp(x)
    return
    entry second(x) result(s)
    s = x**3
  end function
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = first(x)*second(x)
    y = second(y) + first(-x)
  end subroutine
end module
