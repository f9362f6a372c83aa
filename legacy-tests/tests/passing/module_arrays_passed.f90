! stores into integers/logicals between, same scalar passed in and out by different names, intent(out) arrays partly set
module m
  implicit none
  real(8) :: g(3), h
contains
  subroutine part(k, a, b)
    integer, intent(in) :: k
    real(8), intent(out) :: a(:)
    real(8), intent(inout) :: b
    a(1:k) = b
    if (k < size(a)) a(k+1:) = b*b
    b = b + h
    h = h*a(1)
  end subroutine
  subroutine glob(a, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    integer :: i
    do i = 1, n
      g(i) = g(i)*2 + h*0.1d0
    end do
    h = h + sum(a)
  end subroutine
  subroutine read2(a, r)
    real(8), intent(in) :: a(3)
    real(8), intent(inout) :: r
    r = r + dot_product(a, g)*h
  end subroutine
  subroutine head(n, x, f)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: f
    real(8) :: w(4), s, v(3)
    integer :: i
    g = x(1:3)
    h = x(2)
    s = x(n)
    f = 0
    do i = 1, 3
      call part(i, w(1:4), s)
      f = f + w(4)*w(1)
      call part(i, w(4:1:-1), g(i))
      v = g
      call glob(v, 3)
      call read2(g, f)
      call read2(g(3:1:-1), f)
      if (mod(i, 2) == 0) cycle
      f = f + s*h
      s = s/(1 + h*h)
      h = h/(1 + h*h)
    end do
  end subroutine
end module
