! Pointers whose bounds are not those of a section: stated lower bounds, those of the target, another
! rank; in loops, so that the backward sweep has to give the bounds back too.
module m
  implicit none
  type :: grid
    real(8), pointer :: cells(:) => null()
    real(8), pointer :: plane(:, :) => null()
  end type grid
  real(8), target :: shared(-2:7)
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in), target :: x(n)
    real(8), intent(out) :: y
    real(8), target :: a(0:n), work(n*n), flat(-n:n, 3)
    real(8), pointer :: p(:), q(:), r(:), m2(:, :)
    type(grid) :: g
    integer :: k, i
    do i = 0, n
      a(i) = 0.1d0*i + x(1 + mod(i, n))
    end do
    work = 0.25d0
    flat = 0.5d0
    shared = 0.0d0
    y = 0.0d0
    p => a
    q(0:) => x
    do k = 1, n
      ! the bounds of the target: from 0, of a section: from 1
      y = y + p(lbound(p, 1))*x(k)*(1 + lbound(p, 1)) + size(p)*p(ubound(p, 1))
      p(-k:) => a(0:n - 1)
      p(-k) = p(-k)*q(0) + p(1 - k)**2
      r => p
      y = y + r(lbound(r, 1))*ubound(r, 1)
      p(1:) => p
      y = y + p(1)*p(2)
      m2(0:n - 1, 1:n) => work
      m2(0, k) = m2(k - 1, k)*x(k) + m2(n - 1, 1)
      do i = lbound(m2, 2), ubound(m2, 2)
        y = y + m2(k - 1, i)*m2(lbound(m2, 1), i)
      end do
      m2(k:, -k:) => m2
      m2(k, 1 - k) = m2(k, 1 - k)*x(1) + y*0.01d0
      q(5:4 + 2*n) => flat
      q(5 + k) = q(4 + k)*x(k) + m2(k + 1, -k)
      q(1:n) => flat(:, 2)
      q(k) = q(k)**2 + p(2)
      q(0:) => work(n:1:-1)
      q(k - 1) = q(k - 1) + x(k)**2
      m2(1:2, 0:1) => work(1:4*n:n)
      m2(:, 0) = m2(:, 1)*x(k) + m2(2, 1)
      if (mod(k, 2) == 0) then
        p => a
      else if (k > 2) then
        p(k:) => shared
        p(k + 1) = p(k)*2.0d0 + x(k)
        shared(-2) = shared(-1)*x(1)
      end if
      g%cells(k:) => a
      g%cells(k) = g%cells(k + 1)*x(k)
      g%plane(0:1, 0:n - 1) => work
      g%plane(1, k - 1) = g%plane(0, n - 1)*g%cells(ubound(g%cells, 1)) + x(k)
    end do
    y = y + sum(a) + sum(work) + sum(flat**2) + sum(shared*shared)
  end subroutine head
end module m
