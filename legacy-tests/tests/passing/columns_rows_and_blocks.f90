! in-out with intent(out) section and same array passed as two disjoint sections, runtime equal columns written/read
module m
  implicit none
contains
  subroutine axpy(n, s, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: s, a(n)
    real(8), intent(inout) :: b(n)
    b = b + s*a*a
  end subroutine
  subroutine three(a, b, c, r)
    real(8), intent(in) :: a(:), b(:), c
    real(8), intent(inout) :: r
    r = r + sum(a*b)*c
  end subroutine
  subroutine mats(n, a, b, r)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n,*), b(n,*)
    real(8), intent(inout) :: r
    integer :: i, j
    do j = 1, 2
      do i = 1, n
        r = r + a(i,j)*b(i,j)*b(j,1)
      end do
    end do
  end subroutine
  subroutine head(n, x, f)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n,n)
    real(8), intent(out) :: f
    integer :: i, j
    f = 0
    do j = 1, n - 1
      do i = j + 1, n
        call axpy(n, x(j,i)*1d0, x(1,j), x(1,i))
        call axpy(j, 0.1d0, x(:,j), x(:,i))
        call axpy(1, x(1,1), x(i,j), x(j,n))
      end do
    end do
    do j = 1, n - 1
      do i = 1, n - 1
        call three(x(:,i), x(:,j), x(i,j), f)
        call three(x(i,:), x(j,:), x(j,i), f)
        call three(x(1:n-1,i), x(2:n,i), x(2,i), f)
        call mats(n, x(1,i), x(1,j), f)
        call mats(n-1, x(2,1), x(1,i), f)
        if (f > 1d4) exit
      end do
    end do
  end subroutine
end module
