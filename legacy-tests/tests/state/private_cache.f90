module tables
  implicit none
  private
  public :: lookup
  real(8), save :: grid(3) = [0d0, 1d0, 2d0]
  logical, save :: ready = .false.
  real(8) :: last = -1d0
contains
  subroutine lookup(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    if (.not. ready) then
      grid = grid*x
      ready = .true.
    end if
    if (last < 0d0) last = x*x
    y = sum(grid) + last
  end subroutine
end module
subroutine head(x, y)
  use tables
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  call lookup(x, a)
  call lookup(2d0*x, b)
  y = a*b
end subroutine
