! x1 += A y1 and x2 += y2 A (NPBench mvt).  Index order transposed: the first index here is the
! column.
!
! x1 and x2 are only incremented.  True tape: 0 bytes.
subroutine mvt(n, x1, x2, y1, y2, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x1(0:n-1), x2(0:n-1)
  real(8), intent(in) :: y1(0:n-1), y2(0:n-1), a(0:n-1, 0:n-1)
  integer :: i, j

  do i = 0, n-1
    do j = 0, n-1
      x1(i) = x1(i) + a(j,i) * y1(j)
    end do
  end do
  do i = 0, n-1
    do j = 0, n-1
      x2(j) = x2(j) + a(j,i) * y2(i)
    end do
  end do
end subroutine mvt
