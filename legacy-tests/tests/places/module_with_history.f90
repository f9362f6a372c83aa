! Modules that keep history: a loop left early fills it, a later call reads it.
module store
  implicit none
  real(8) :: acc = 0, hist(4) = 0
  integer :: n = 0
  real(8), allocatable :: work(:)
contains
  subroutine push(x)
    real(8), intent(in) :: x
    n = mod(n, 4) + 1
    hist(n) = x*acc + hist(n)
    acc = acc + sin(x)
  end subroutine
  real(8) function total()
    total = sum(hist(1:n)) + acc**2
  end function
end module
module model
  use store
  implicit none
  real(8) :: gain = 1.5d0
contains
  subroutine step(x, m, y)
    integer, intent(in) :: m
    real(8), intent(in) :: x(m)
    real(8), intent(out) :: y
    integer :: i
    n = 0
    acc = gain
    hist = 0
    do i = 1, m
      if (acc > 3) exit
      call push(x(i)*gain)
      if (mod(i, 2) == 0) gain = gain*1.1d0 + 0.1d0*hist(1)
    end do
    y = total()*gain
  end subroutine
  subroutine outer(x, m, y)
    integer, intent(in) :: m
    real(8), intent(in) :: x(m)
    real(8), intent(out) :: y
    real(8) :: y1, y2
    call step(x, m, y1)
    call step(x*0.5d0, m, y2)
    y = y1*y2
  end subroutine
end module
