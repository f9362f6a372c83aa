! Three time levels by subscripts, an iteration of unknown length in each step, a flag, GOTO out of the loop.
module par
  implicit none
  real(8) :: gain = 0.3d0
  integer :: calls = 0
end module
subroutine relaxed(n, nt, x, y)
  use par
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: u(n,0:2), r, total
  integer :: it, l0, l1, l2, i, k, nits
  logical :: cold
  u = 0.d0
  u(:,0) = x
  u(:,1) = x*0.9d0
  cold = .true.
  total = 0.d0
  nits = 0
  do it = 1, nt
    l0 = mod(it - 1, 3)
    l1 = mod(it, 3)
    l2 = mod(it + 1, 3)
    do i = 1, n
      u(i,l2) = u(i,l1) + gain*0.1d0*u(i,l0)*u(mod(i,n)+1,l1)
    end do
    r = 1.d0
    k = 0
    do while (r > 1.d-2 .and. k < 20)
      r = 0.d0
      do i = 2, n
        r = r + (u(i,l2) - u(i-1,l2))**2*0.1d0
        u(i,l2) = u(i,l2) - 0.3d0*(u(i,l2) - u(i-1,l2))
      end do
      k = k + 1
      nits = nits + 1
    end do
    if (cold .and. u(1,l2) > 1.1d0) cold = .false.
    if (cold) then
      total = total + u(n,l2)*it
    else
      total = total + sin(u(n,l2))
      if (nits > 400) goto 100
    end if
    calls = calls + 1
  end do
100 continue
  y = total + sum(u(:,mod(nt,3))**2)
end subroutine
