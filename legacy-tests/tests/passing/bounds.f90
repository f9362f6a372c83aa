module m
contains
  subroutine shape1(a, b)
    real(8), intent(in) :: a(-1:)
    real(8), intent(inout) :: b(:,:)
    integer :: i, j
    do j = 1, size(b,2)
      do i = lbound(a,1), ubound(a,1)
        b(i+2,j) = b(i+2,j)*a(i) + a(ubound(a,1)-i-1)**2
      end do
    end do
  end subroutine
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(-n:n, 3)
    real(8), intent(inout) :: y(0:n-1, -2:n)
    integer :: i
    real(8) :: t
    call shape1(x(-n:-1,2), y)
    call shape1(x(n:1:-1,1), y(:,n:-2:-2))
    call shape1(x(-n:n-1:2,3), y(n-1:0:-1,0:0))
    do i = 5, 1
      y(0,0) = 0
    end do
    do i = n-1, 0, -2
      t = y(i,0)
      y(i,1) = t*y(i,1)
    end do
  end subroutine
end module
