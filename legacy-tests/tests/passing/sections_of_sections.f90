module m
  implicit none
contains
  subroutine blk(a, n, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n,2)
    real(8), intent(out) :: r
    a(:,2) = a(:,1)*a(:,2)
    r = sum(a(:,2))
  end subroutine
  subroutine opt(a, s, t)
    real(8), intent(inout) :: a(:,:)
    real(8), intent(in), optional :: s
    real(8), intent(inout), optional :: t(:)
    if (present(s)) a = a*s
    if (present(t)) t = t + a(:,1)
  end subroutine
  subroutine ex(a, b, c)
    real(8), intent(in) :: a, b(:)
    real(8), intent(inout) :: c(size(b))
    c = c*a + b**2
  end subroutine
  recursive subroutine rec(k, a)
    integer, intent(in) :: k
    real(8), intent(inout) :: a(:)
    if (k <= 0) return
    a(1) = a(1)*a(size(a))
    call rec(k-1, a(size(a):1:-1))
    a(2:) = a(2:) + a(1)
  end subroutine
  subroutine head(n, x, y, f)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n,n), y(0:n)
    real(8), intent(out) :: f(2)
    integer :: i, j, idx(3)
    idx = [3, 1, 2]
    call blk(x(2:3,1:4:3), 2, f(1))
    f(2) = f(1)
    do j = 1, n
      call opt(x(j:j,:), y(0), y(j:j))
      call opt(x(:,j:j))
      call opt(x(n:1:-2,:), t=y(1:n:2))
      do i = j, n, 2
        call ex(y(0), y(i:n), x(j,i:n))
        if (x(i,j) > 100d0) exit
      end do
    end do
    call rec(3, y)
    call rec(2, x(1,:))
    f = f + y(0:1)*y(idx(2:3))
    call ex(y(0)*2, (x(:,2)), y(1:))
  end subroutine
end module
