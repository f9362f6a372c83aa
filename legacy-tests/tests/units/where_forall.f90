! WHERE inside WHERE, FORALL that reads what it assigns to.
module t1m
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n, n), c(n), t
    logical :: m(n)
    integer :: i, j
    a = x**2
    b = 0.25d0
    forall (i = 1:n, j = 1:n, i /= j) b(i, j) = x(i)*x(j)
    forall (i = 2:n) a(i) = a(i - 1) + x(i)
    forall (i = 1:n-1)
      a(i) = a(i + 1)*x(i)
      c(i) = a(i)
    end forall
    c(n) = 1
    forall (i = 1:n, a(i) > 0.8d0) a(i) = -a(n + 1 - i)
    do concurrent (i = 1:n)
      c(i) = c(i)*a(i)
    end do
    do concurrent (i = 1:n, j = 1:n, i < j)
      b(i, j) = b(i, j)*c(i)
    end do
    do concurrent (i = 1:n)
      t = x(i)*2
      a(i) = a(i) + t*t
    end do
    where (a > 1)
      a = a*x
      where (c > 0.5d0)
        c = a*c
      elsewhere (c > 0.1d0)
        c = sqrt(c)
      elsewhere
        c = x
      end where
      a = a - 1
    elsewhere (a < -1)
      a = -a*2
      c = c + a
    elsewhere
      a = a(n:1:-1)*x
    end where
    m = a > x
    where (m) a = sin(a)
    where (.not. m(2:n)) c(1:n-1) = c(2:n)
    y = a + c + sum(b, 2)
  end subroutine
end module
