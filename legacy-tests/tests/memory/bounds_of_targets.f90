! Pointers that take their bounds from components, allocatables, pointers and dummy arrays, in a loop without
! trip count, and that are passed to procedures.
module m
  implicit none
  type :: cell
    real(8) :: v = 0.0d0
    real(8) :: w(-1:1) = 0.0d0
  end type cell
  type :: box
    real(8) :: f(0:6)
    real(8) :: fixed(-3:3) = 0.1d0
    type(cell) :: c(0:4)
  end type box
contains
  subroutine smooth(p, lo)
    real(8), pointer, intent(in) :: p(:)
    integer, intent(in) :: lo
    integer :: i
    do i = lbound(p, 1) + 1, ubound(p, 1)
      p(i) = p(i) + 0.1d0*p(i - 1)*p(i)*(i - lo)
    end do
  end subroutine smooth
  subroutine shape_of(a, s)
    real(8), intent(inout), target :: a(0:)
    real(8), intent(out) :: s
    real(8), pointer :: q(:)
    integer :: k
    q => a
    s = 0.0d0
    do k = 0, ubound(q, 1)
      q(k) = q(k)**2 + s
      s = s + q(0)*a(k)
      q(-k:) => a
      s = s + q(-k)*q(ubound(q, 1))
      q(0:) => q
    end do
  end subroutine shape_of
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in), target :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable, target :: al(:), al2(:, :)
    real(8), pointer :: p(:), q(:), m2(:, :)
    type(box), target :: b
    integer :: k, lo
    real(8) :: s
    allocate (al(-2:n), al2(0:1, -1:n))
    b%fixed=0.1d0
    al = x(1)
    al2 = x(2)*0.5d0
    b%f = x(3)
    y = 0.0d0
    lo = 3
    k = 0
    p => al
    do while (k < n .and. abs(y) < 1.0d6)
      k = k + 1
      p(lo:) => b%f
      lo = lo - 2
      y = y + p(lo + 2)*p(ubound(p, 1))*x(k)
      p => b%f
      p(0) = p(0)*0.9d0 + x(k)
      y = y + lbound(p, 1)*p(1) + ubound(p, 1)*p(n)
      p => b%fixed
      p(-3) = p(-2)*x(k) + b%fixed(0)
      p => b%fixed(-1:1)
      p(1) = p(3)*x(k)*lbound(p, 1) + x(k)*0.3d0
      p(0:) => b%c%v
      p(lo + 2*k - 3) = x(k)*p(4) + 0.2d0
      p(4) = p(0)**2 + p(4)*0.5d0
      p => b%c(0:4:2)%v
      p(2) = p(1)*x(k) + 0.1d0
      y = y + p(3)*b%c(2)%w(-1) + sum(p) + lbound(p, 1)
      m2 => al2
      m2(0, k) = m2(1, k - 1)*x(k) + y*0.1d0
      q => m2(1, :)
      y = y + q(k)*size(q) + lbound(q, 1)*q(1)
      q(-1:) => m2(1, :)
      y = y + q(k)*m2(0, -1)
      m2(1:, 1:) => al2
      m2(2, k) = m2(1, k)*x(k)
      q(0:n) => al2
      q(n) = q(n - 1)*q(0) + x(1)
      q(lo:) => al
      q(lo) = q(lo + 1)*x(k) + al(n)
      call smooth(q, lo)
      call shape_of(q, s)
      y = y + s*1.0d-3
      call shape_of(q(lo + 3:lo:-1), s)
      y = y + s*1.0d-3
      y = y*1.0d-1
    end do
    y = y + sum(al) + sum(al2) + sum(b%f) + sum(b%c%v) + sum(b%fixed)
    deallocate (al)
  end subroutine head
end module m
