! s = r A and q = A p in one pass over A, which is n x m (NPBench bicg).  Index order transposed:
! the first index here is the column.
!
! Products of inputs only.  True tape: 0 bytes.
subroutine bicg(n, m, a, p, r, s, q)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(0:m-1, 0:n-1), p(0:m-1), r(0:n-1)
  real(8), intent(out) :: s(0:m-1), q(0:n-1)
  integer :: i, j

  do j = 0, m-1
    s(j) = 0.0d0
  end do
  do i = 0, n-1
    q(i) = 0.0d0
    do j = 0, m-1
      s(j) = s(j) + r(i) * a(j,i)
      q(i) = q(i) + a(j,i) * p(j)
    end do
  end do
end subroutine bicg
