module tools
  implicit none
  type :: grid
    integer :: n
    real(8), allocatable :: u(:), v(:)
    real(8) :: scale = 1d0
  end type
  interface operator(.dot.)
    module procedure dotg
  end interface
contains
  real(8) function dotg(a, b)
    type(grid), intent(in) :: a, b
    dotg = a%scale*sum(a%u(:a%n)*b%v(:a%n))
  end function
  function smooth(n, w) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: w(n)
    real(8) :: r(n)
    integer :: i
    r = w
    do i = 2, n-1
      r(i) = 0.25d0*(w(i-1) + 2*w(i) + w(i+1))
      if (r(i) > 2d0) goto 10
    end do
10  continue
    if (i <= n) r(i:) = sqrt(r(i:))
  end function
  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(grid) :: g, h
    real(8), allocatable :: work(:)
    integer :: k
    g%n = n
    allocate (g%u(n), g%v(n))
    g%u = x; g%v = smooth(n, x)
    do k = 1, 3
      call step(k)
      if (norm() > 50d0) exit
    end do
    h = g
    h%scale = norm()
    y = (g .dot. h) + (h .dot. g)
    associate (z => h%u(2:n-1))
      z = z*2
      y = y + sum(z)*h%scale
    end associate
  contains
    subroutine step(k)
      integer, intent(in) :: k
      if (allocated(work)) deallocate (work)
      allocate (work(n-k))
      work = g%u(1:n-k)*g%v(k+1:n)
      g%u(k+1:) = g%u(k+1:) + 0.1d0*work
      g%v = smooth(n, g%u)*g%scale
      g%scale = g%scale*1.1d0 + 0.01d0*norm()
    end subroutine
    real(8) function norm()
      norm = sqrt(sum(g%u**2) + sum(g%v**2))
    end function
  end subroutine
end module
