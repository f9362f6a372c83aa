! y = (A x) A with A of m x n (NPBench atax).  Index order transposed: the first index here is the
! column.
!
! The product t = A x is needed backwards; it stands in a local array that nothing overwrites.
! True tape: 0 bytes besides t itself.
subroutine atax(m, n, a, x, y)
  implicit none
  integer, intent(in) :: m, n
  real(8), intent(in) :: a(0:n-1, 0:m-1), x(0:n-1)
  real(8), intent(out) :: y(0:n-1)
  real(8) :: t(0:m-1)
  integer :: i, j

  do i = 0, m-1
    t(i) = 0.0d0
    do j = 0, n-1
      t(i) = t(i) + a(j,i) * x(j)
    end do
  end do
  do j = 0, n-1
    y(j) = 0.0d0
  end do
  do i = 0, m-1
    do j = 0, n-1
      y(j) = y(j) + a(j,i) * t(i)
    end do
  end do
end subroutine atax
