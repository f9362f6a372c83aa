subroutine part(n, a, b)
  integer :: n
  real(8) :: a(n), b(*)
  integer :: i
  do i = 1, n
    a(i) = sin(a(i))*b(i)
    b(i) = b(i)*a(i)
  end do
end subroutine
subroutine top(n, x, y, z)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(0:n), z(*)
  integer :: k, m
  do k = 1, 3
    m = n - k
    call part(m, x(k:n-1), y(0:m))
    call part(m, x(n-1:k:-1), z(2:n))
    call part(n/2, x(2:n:2), y(1:))
    call part(n/2, x(:n/2), y)
  end do
end subroutine
