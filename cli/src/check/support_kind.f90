
  ! @TYPE@

  @TYPE@ function value_@S@(low, high) result(x)
    real(8), intent(in) :: low, high
    x = @VALUE@
  end function

  subroutine uniform_@S@(x, n, low, high)
    integer, intent(in) :: n
    @TYPE@, intent(out) :: x(n)
    real(8), intent(in) :: low, high
    integer :: i
    do i = 1, n
      x(i) = value_@S@(low, high)
    end do
  end subroutine

  subroutine ramp_@S@(x, n, from, to)
    integer, intent(in) :: n
    @TYPE@, intent(out) :: x(n)
    real(8), intent(in) :: from, to
    integer :: i
    do i = 1, n
      x(i) = from + (to - from)*(real(i - 1, 8) + value_@S@(0.25d0, 0.75d0))/real(n, 8)
    end do
  end subroutine

  subroutine diagonal_@S@(x, n, low, high, shift)
    integer, intent(in) :: n
    @TYPE@, intent(out) :: x(n)
    real(8), intent(in) :: low, high, shift
    integer :: i, rows
    call uniform_@S@(x, n, low, high)
    rows = nint(sqrt(real(n, 8)))
    do i = 1, rows
      x((i - 1)*rows + i) = x((i - 1)*rows + i) + real(shift, @K@)
    end do
  end subroutine

  subroutine list_@S@(x, n, values)
    integer, intent(in) :: n
    @TYPE@, intent(out) :: x(n)
    real(8), intent(in) :: values(:)
    integer :: i
    do i = 1, n
      x(i) = real(values(mod(i - 1, size(values)) + 1), @K@)
    end do
  end subroutine

  ! The sum of products; of complex numbers, of their parts.
  real(8) function product_@S@(x, y, n) result(total)
    integer, intent(in) :: n
    @TYPE@, intent(in) :: x(n), y(n)
    integer :: i
    total = 0
    do i = 1, n
      total = total + @PRODUCT@
    end do
  end function

  ! The sum of the absolute values of the products.
  real(8) function volume_@S@(x, y, n) result(total)
    integer, intent(in) :: n
    @TYPE@, intent(in) :: x(n), y(n)
    integer :: i
    total = 0
    do i = 1, n
      total = total + abs(real(x(i)*conjugate_@S@(y(i)), 8))
    end do
  end function

  @TYPE@ function conjugate_@S@(x) result(y)
    @TYPE@, intent(in) :: x
    y = @CONJUGATE@
  end function

  ! How many elements differ in a bit.
  integer function differing_@S@(x, y, n) result(number)
    integer, intent(in) :: n
    @TYPE@, intent(in) :: x(n), y(n)
    integer :: i
    number = 0
    do i = 1, n
      if (any(transfer(x(i), [0_@K@]) /= transfer(y(i), [0_@K@]))) number = number + 1
    end do
  end function

  ! The largest absolute value; not a number if one is none.
  real(8) function magnitude_@S@(x, n) result(largest)
    integer, intent(in) :: n
    @TYPE@, intent(in) :: x(n)
    integer :: i
    largest = 0
    do i = 1, n
      if (.not. abs(x(i)) <= largest) largest = real(abs(x(i)), 8)
      if (largest /= largest) return
    end do
  end function

  ! A scale to draw directions by: never zero.
  real(8) function scale_@S@(x, n) result(scale)
    integer, intent(in) :: n
    @TYPE@, intent(in) :: x(n)
    scale = magnitude_@S@(x, n)
    if (.not. (scale > 0 .and. scale <= huge(scale))) scale = 1
  end function

  ! The largest error of a tangent against differences of fourth order, relative to the larger of
  ! the two, or to a small part of the variable itself.
  real(8) function error_@S@(at, d, y, n, h) result(error)
    integer, intent(in) :: n
    @TYPE@, intent(in) :: at(n, 4), d(n), y(n)
    real(8), intent(in) :: h
    @TYPE@ :: difference(n)
    difference = (8*(at(:, 3) - at(:, 2)) - (at(:, 4) - at(:, 1)))/real(12*h, @K@)
    error = magnitude_@S@(difference - d, n)/max(magnitude_@S@(difference, n), &
      magnitude_@S@(d, n), 1.0d-5*magnitude_@S@(y, n), tiny(h))
    if (magnitude_@S@(difference, n) /= magnitude_@S@(difference, n)) error = huge(error)
  end function

  ! The largest error of `x` against `factor*y`, relative to the larger of the two.
  real(8) function deviation_@S@(x, y, n, factor) result(error)
    integer, intent(in) :: n, factor
    @TYPE@, intent(in) :: x(n), y(n)
    error = magnitude_@S@(x - factor*y, n)
    if (error > 0) error = error/max(magnitude_@S@(x, n), magnitude_@S@(y, n))
  end function
