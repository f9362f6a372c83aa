! One internal procedure active here and passive there; jumps out of loops around internal calls; an allocatable of the host.
module x5m
  implicit none
  private
  public :: top
contains
  function top(n, x) result(y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: y
    real(8), allocatable :: work(:)
    real(8) :: c0, xs(n)
    integer :: i, j
    allocate(work(n))
    c0 = poly(0.5d0)
    xs = x
    do i = 1, n
      work(i) = poly(x(i))*c0
    end do
    loop1: do i = 1, n
      do j = 1, n
        if (skip(i, j)) cycle loop1
        if (work(j) > 50) exit loop1
        call relax(work(j), xs(i))
      end do
    end do loop1
    y = norm(work) + norm(xs)
    deallocate(work)
  contains
    real(8) function poly(t)
      real(8), intent(in) :: t
      poly = t*(t + 1)*(t + n)
    end function
    logical function skip(a, b)
      integer, intent(in) :: a, b
      skip = a == b .and. work(a) < 0
    end function
    subroutine relax(u, v)
      real(8), intent(inout) :: u, v
      u = u + 0.1d0*v
      v = 0.9d0*v + 0.01d0*c0
      if (u > 3) then
        u = sqrt(u)
        return
      end if
      v = v*poly(v*0.1d0)
    end subroutine
    real(8) function norm(q)
      real(8), intent(in) :: q(:)
      norm = sqrt(dot_product(q, q))
    end function
  end function
end module
