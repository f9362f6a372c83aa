! DO CONCURRENT and FORALL: masks that the body changes, CYCLE, values kept before they are stored.
module t7m
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: a(n), b(n, n), t, s
    integer :: i, j, m, k(n)
    t = 5.0d0*x(1)
    s = 0
    a = x
    do concurrent (i = 1:n)
      t = x(i)*2
      a(i) = a(i) + t*t
    end do
    do concurrent (i = 1:n, a(i) > 1.5d0)
      a(i) = a(i)*0.25d0
    end do
    do j = 1, 2
      do concurrent (i = 1:n:2, a(n + 1 - i) > 0.3d0)
        if (i == 3) cycle
        a(i) = a(i)*x(i) + t
        block
          real(8) :: t
          t = a(i)
          a(i) = t*t
        end block
      end do
    end do
    m = n
    do concurrent (i = 1:m)
      t = t + x(i)
      a(i) = a(i)*t
    end do
    b = 1
    forall (i = 1:m, j = 1:m:2, a(i) > x(j)) b(i, j) = b(j, i)*a(i) + x(j)
    k = [(n + 1 - i, i = 1, n)]
    forall (i = 1:n) k(i) = k(i) + k(n + 1 - i)
    forall (i = 1:n - 1, k(i) > 0)
      k(i) = 1
      a(i) = a(k(i))
    end forall
    outer: do i = 1, n
      do concurrent (j = 1:n)
        if (b(i, j) > 2) cycle
        b(i, j) = b(i, j)**2
      end do
      if (i == 2) cycle outer
      y = sum(b)
    end do outer
    y = y + sum(a) + t
  end subroutine
end module
