! Solution of a x = b by LU factorisation in place and two substitutions (NPBench ludcmp).  Index order
! transposed: the first index here is the column.
!
! Quotients are differentiated by their results, and every factor that is read is final.
! True tape: 0 bytes.
subroutine ludcmp(n, a, b, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(0:n-1, 0:n-1)
  real(8), intent(in) :: b(0:n-1)
  real(8), intent(out) :: x(0:n-1), y(0:n-1)
  integer :: i, j, k

  do i = 0, n-1
    do j = 0, i-1
      do k = 0, j-1
        a(j,i) = a(j,i) - a(k,i) * a(j,k)
      end do
      a(j,i) = a(j,i) / a(j,j)
    end do
    do j = i, n-1
      do k = 0, i-1
        a(j,i) = a(j,i) - a(k,i) * a(j,k)
      end do
    end do
  end do
  do i = 0, n-1
    y(i) = b(i)
    do j = 0, i-1
      y(i) = y(i) - a(j,i) * y(j)
    end do
  end do
  do i = n-1, 0, -1
    x(i) = y(i)
    do j = i+1, n-1
      x(i) = x(i) - a(j,i) * x(j)
    end do
    x(i) = x(i) / a(i,i)
  end do
end subroutine ludcmp
