submodule (par) impl
  implicit none
  real(8) :: hidden = 1.5d0
contains
  module subroutine work(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    do i = 1, size(x)
      y = y + local(x(i))*state
    end do
  end subroutine
  module procedure scal
    r = x*x*hidden + local(x)
  end procedure scal
  module procedure pw
    pw = x**3
  end procedure
  real(8) function local(v)
    real(8), intent(in) :: v
    local = exp(-v)*hidden
  end function
end submodule
