! Time levels that change places by their subscripts; allocatables.
subroutine levels(n, nt, x, y)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: u(:,:), w(:)
  integer :: it, i, now, nxt, sw
  allocate (u(n,2), w(n))
  u(:, 1) = x
  u(:, 2) = 0.d0
  now = 1
  nxt = 2
  !$ad checkpoint binomial(3)
  do it = 1, nt
    do i = 1, n
      w(i) = u(i, now)**2
    end do
    do i = 2, n - 1
      u(i, nxt) = u(i, now) + 0.1d0*(w(i-1) - u(i+1, now))
    end do
    u(1, nxt) = w(1)
    u(n, nxt) = u(n, now)
    sw = now
    now = nxt
    nxt = sw
  end do
  y = sum(u(:, now)**2)
  deallocate (u)
end subroutine
