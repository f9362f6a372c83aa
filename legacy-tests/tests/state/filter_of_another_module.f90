module lowpass
  implicit none
  private
  public :: reset, filtered
  real(8), save :: memory(2) = 0d0
  real(8), save :: gain = 0.3d0
  integer :: count = 0
  logical :: warm = .false.
contains
  subroutine reset(g)
    real(8), intent(in) :: g
    gain = g
    memory = 0d0
    warm = .false.
    count = 0
  end subroutine
  function filtered(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    if (.not. warm) then
      memory = x
      warm = .true.
    end if
    count = count + 1
    memory(1) = memory(1) + gain*(x - memory(1))
    memory(2) = memory(2) + gain*(memory(1)**2 - memory(2))/count
    y = memory(2)*memory(1)
  end function
end module
subroutine head(n, x, g, y)
  use lowpass
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), g
  real(8), intent(out) :: y
  integer :: i
  call reset(g)
  y = 0d0
  do i = 1, n
    y = y + filtered(x(i))**2
  end do
  y = y*filtered(x(1))
end subroutine
