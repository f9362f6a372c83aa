! Internal functions that call each other and their host, which is recursive too.
module i4m
  implicit none
contains
  recursive function head(n, x) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8) :: r, s
    s = x
    r = 0.0d0
    if (n > 2) then
      call viahost()
    else
      call up(n)
    end if
    r = r + s*even(3)
  contains
    recursive subroutine up(k)
      integer, intent(in) :: k
      real(8) :: loc
      if (k <= 0) return
      loc = s*k
      s = s*sin(loc)
      call up(k - 1)
      r = r + loc*x
    end subroutine
    recursive real(8) function even(k) result(e)
      integer, intent(in) :: k
      if (k == 0) then
        e = x
      else
        e = odd(k - 1)*x
      end if
    end function
    recursive real(8) function odd(k) result(e)
      integer, intent(in) :: k
      if (k == 0) then
        e = s
      else
        e = even(k - 1) + x
      end if
    end function
    recursive subroutine viahost()
      r = head(n - 1, x*1.1d0)*x
    end subroutine
  end function head
end module
