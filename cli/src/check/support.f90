! Written by `contraflow check`: what a driver needs that proves derivatives.
module contraflow_support
  implicit none
  private :: state, random
  integer(8) :: state = 20260101_8
contains

  ! Uniform in [0, 1). Two steps of the minimal standard generator: the same on every machine.
  real(8) function random()
    integer(8), parameter :: modulus = 2147483647_8
    integer(8) :: high
    state = mod(16807_8*state, modulus)
    high = state
    state = mod(16807_8*state, modulus)
    random = (real(high - 1, 8) + real(state - 1, 8)/real(modulus - 1, 8))/real(modulus - 1, 8)
  end function

  integer(8) function whole_number(low, high)
    integer(8), intent(in) :: low, high
    whole_number = min(low + int(random()*real(high - low + 1, 8), 8), high)
  end function
