! Loops whose bounds are those of pointers that the loops let point elsewhere; bounds of which the pointer
! itself is asked; bounds that are kept in variables.
module m
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in), target :: x(n)
    real(8), intent(out) :: y
    real(8), target :: a(0:n), w(n*n)
    real(8), pointer :: p(:), q(:)
    real(8), pointer :: m2(:,:)
    integer :: k, lo, hi, i, mid
    real(8) :: s
    a(0) = x(1)
    a(1:n) = x
    w = 0.3d0
    y = 0.0d0
    p => a
    do k = 1, n
      lo = lbound(p, 1)
      hi = ubound(p, 1)
      mid = (lo + hi)/2
      p(k*lo - 3:) => p
      s = 0.0d0
      do i = lbound(p, 1), ubound(p, 1)
        s = s + p(i)**2*(i - lbound(p, 1) + 1)
      end do
      y = y + 0.01d0*s*p(lbound(p, 1) + mid - lo)*(lo + 1)
      p(lo + 2:) => a(0:n - 1)
      p(mid + 2) = sin(p(mid + 2))*s
      if (lbound(p, 1) > 5) then
        p(-2:) => a
        p(lo - lo) = p(lo - lo)*x(k)*0.1d0
        lo = lbound(p, 1)
      else if (size(p) == n) then
        p(lo:) => w(k:k*n)
        p(ubound(p, 1)) = y*p(lo)*0.01d0
      end if
      y = y + 0.01d0*p(lo)*(lo + 1)
      m2(lo:lo + 1, 0:k) => w
      do i = lbound(m2, 2), ubound(m2, 2)
        m2(lo, i) = m2(lo + 1, i)*x(k)*0.5d0 + 0.1d0
        if (i == 2) m2(lo:lo + 1, 0:1) => a(0:)
        if (i == 2) exit
      end do
      p(lbound(m2, 1):) => a
      do i = lbound(p, 1), ubound(p, 1)
        p(i) = p(i)*0.9d0 + 0.01d0*y*i
        if (mod(i + k, 5) == 0 .and. i < n) p(lbound(p, 1) - 1:) => w(2:n + 3)
        q(i:i) => a(mod(i + 100, n):)
        q(i) = q(i)*0.9d0 + 0.02d0*q(i)**2
      end do
      y = y*0.1d0
    end do
    y = y + sum(a) + sum(w)
  end subroutine head
end module m
