! Two internal procedures `h` in two hosts, and a procedure that has the name a derived one would like; a passive
! internal function with an effect on the host.
module i5m
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i, calls
    calls = 0
    y = 0.0d0
    do i = 1, n
      if (ok(i)) y = y + h(x(i))
    end do

  contains
    logical function ok(k)
      integer, intent(in) :: k
      calls = calls + 1
      ok = mod(k + calls, 3) /= 0
      if (k < 0) print *, 'bad', k, calls
    end function ok
    real(8) function h(v)
      real(8), intent(in) :: v
      h = v*v*calls
    end function h
  end subroutine head
  subroutine head2(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: z
    call head(n, x, z)
    y = h(z)
  contains
    real(8) function h(v)
      real(8), intent(in) :: v
      h = v**3*x(1)
    end function h
  end subroutine head2
  real(8) function head_h(v)
    real(8), intent(in) :: v
    head_h = v
  end function head_h
end module
