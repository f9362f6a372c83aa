! Pointers that are associated with stated bounds: the first elements of a work array, of a section with
! a stride, of a column; arrays that begin elsewhere than at 1.
module m
  implicit none
  type :: store
    real(8) :: cells(-1:6) = 0.0d0
    real(8), pointer :: row(:) => null()
  end type store
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in), target :: x(n)
    real(8), intent(out) :: y
    real(8), target :: work(0:2*n), a(0:n, -1:n)
    real(8), pointer :: p(:), q(:), m2(:, :)
    type(store), target :: s
    integer :: k, count
    work = 0.0d0
    a = 0.5d0
    y = 0.0d0
    count = n
    do k = 1, n
      p(1:count) => work
      p(1) = p(1) + x(k)**2
      p(count) = p(count)*0.5d0 + x(k)*work(0)
      q(1:n) => work(2*n:0:-2)
      q(2) = q(2) + p(1)*x(1)
      if (k > 2) then
        q(1:) => a(:, k)
        q(1) = q(1)*x(k) + q(2)
      end if
      m2(1:, 1:) => a
      m2(k, 1:2) = m2(1, 1)*x(k) + q(1)
      p(1:k) => a(1:, 0)
      p = p*x(k)
      y = y + sum(p)*lbound(p, 1) + ubound(q, 1)*q(n) + m2(2, k)**2
      s%row(1:3) => s%cells
      if (mod(k, 2) == 0) s%row(1:) => s%cells
      s%row(2) = s%row(2) + y*x(k)*0.1d0
      y = y + s%row(2)*size(s%row) + s%cells(0)
      count = max(1, count - 1)
    end do
    p(1:2) => x
    y = y + p(1)*p(2) + sum(work) + sum(a)
  end subroutine head
end module m
