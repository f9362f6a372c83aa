! Pointers to the first elements of arrays, sections, and what other pointers point to.
module m
  implicit none
  integer, parameter :: one = 1
  type :: cell
    real(8) :: v = 0.0d0
    integer :: tag = 0
  end type cell
contains
  subroutine view(p, s)
    real(8), pointer, intent(in) :: p(:)
    real(8), intent(in) :: s
    p(lbound(p,1)) = p(lbound(p,1))*s + p(ubound(p,1))**2
  end subroutine view
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), target, allocatable :: w(:)
    real(8), target :: a(3:3+n, n)
    real(8), pointer :: p(:), q(:)
    type(cell), target :: c(-2:n)
    type(cell), pointer :: cp(:)
    real(8), pointer :: mem(:)
    integer(8) :: cnt
    integer :: k
    allocate (w(-n:n), source=0.3d0)
    allocate (mem(0:2*n))
    mem = 1.0d0
    a = 0.1d0
    y = 0.0d0
    do k = 1, n
      cnt = k
      p(one:cnt) => w
      call view(p, x(k))
      p(1:0) => w
      y = y + sum(p)
      p(1:n) => mem
      p(n) = p(n)*x(k)
      q(1:k) => p
      q = q*x(k)
      q(1:1) => q
      y = y + sum(q)
      cp(1:n) => c
      cp(k)%v = x(k)*y
      cp(1:) => c
      y = y + cp(2)%v + cp(1)%v*0.1d0
      q(1:2) => a(:, k)
      call view(q, x(k))
      q(1:2) => a(n, k - k/n:)
      if (k < n) q(2) = q(2) + x(k)*y
      y = y + q(1)
      associate (z => a(4:n + 2:2, :))
        p(1:2) => z(:, k)
        p(1) = p(1)*x(k)
        y = y + p(2) + p(1)
      end associate
    end do
    y = y + sum(w) + sum(mem) + sum(a) + sum(c%v)
    deallocate (mem)
  end subroutine head
end module m
