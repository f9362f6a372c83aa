! Generic names with private specific procedures, called from another module that renames them, passively and
! actively; two procedures of one name in two modules.
module basem
  implicit none
  private
  public :: gen, dp, scale
  integer, parameter :: dp = kind(1.0d0)
  real(dp) :: scale = 1.25_dp
  interface gen
    module procedure gen_r, gen_v, gen_i
  end interface
contains
  subroutine gen_r(x, y)
    real(dp), intent(in) :: x
    real(dp), intent(out) :: y
    y = helper(x)*scale
  end subroutine
  subroutine gen_v(x, y)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: y
    y = sum(x**2)
  end subroutine
  subroutine gen_i(k, l)
    integer, intent(in) :: k
    integer, intent(out) :: l
    l = k*2
  end subroutine
  real(dp) function helper(x)
    real(dp), intent(in) :: x
    helper = x*x
  end function
end module
module otherm
  implicit none
  private
  public :: step, helper
contains
  subroutine step(x, y)
    double precision, intent(in) :: x
    double precision, intent(out) :: y
    y = helper(x) + 1
  end subroutine
  double precision function helper(x)
    double precision, intent(in) :: x
    helper = x**3
  end function
end module
module topm
  use basem, only: wp => dp, generic => gen, sc => scale
  use otherm, mystep => step
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y
    real(wp) :: t
    integer :: k
    call generic(3, k)
    call generic(x(1), y)
    call generic(x, t)
    y = y*t*sc + k
    call mystep(y, t)
    y = t + helper(x(2))
  end subroutine
end module
