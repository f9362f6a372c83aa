! Internal functions in conditions, selectors and array expressions; a COMMON member and a loop variable of the host.
module x1m
  implicit none
  real(8) :: gain = 1.2d0
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: it, k
    real(8) :: s, hist(n), common_a, v(n)
    integer, parameter :: m = 2
    real(8) :: warm
    common /blk/ common_a
    warm = x(1)
    common_a = x(2)*2
    s = x(1)
    it = 0
    do while (residual(s) > 0.5d0)
      s = s*0.7d0
      it = it + 1
      if (it > 20) exit
    end do
    hist = scaled(x) + el(x)*vec()
    v = el(hist)
    if (total() > 1 .and. el(s) < 100) y = total()*s
    select case (count_over(0.9d0))
    case (0)
      y = y + 1
    case (1:)
      y = y*s
    end select
    do k = 1, m
      call bump(y)
      call bump
    end do
    y = y + inner2(3) + warm
  contains
    real(8) function residual(z)
      real(8), intent(in) :: z
      residual = z*z + 0.1d0*it
    end function
    function scaled(a) result(b)
      real(8), intent(in) :: a(:)
      real(8) :: b(size(a))
      b = a*gain*s
    end function
    function vec()
      real(8) :: vec(n)
      vec = x**2*warm
    end function
    elemental real(8) function el(z)
      real(8), intent(in) :: z
      el = z*s + m
    end function
    real(8) function total()
      total = sum(hist) + v(1)*common_a
    end function
    integer function count_over(limit)
      real(8), intent(in) :: limit
      count_over = count(x > limit)
    end function
    subroutine bump(z)
      real(8), intent(inout), optional :: z
      if (present(z)) then
        z = z*1.1d0 + common_a
      else
        common_a = common_a*x(k)
        warm = warm + x(k)
      end if
    end subroutine
    recursive real(8) function inner2(d) result(r)
      integer, intent(in) :: d
      r = s*d
      if (d > 0) r = r + inner2(d - 1)*x(d)
    end function
  end subroutine
end module
