! d := alpha a b c + beta d (NPBench k2mm).  Index order transposed: the first index here is the column.
!
! The product alpha a b is a local array that is still there.  True tape: 0 bytes.
subroutine k2mm(ni, nj, nk, nl, alpha, beta, a, b, c, d)
  implicit none
  integer, intent(in) :: ni, nj, nk, nl
  real(8), intent(in) :: alpha, beta
  real(8), intent(in) :: a(0:nk-1, 0:ni-1), b(0:nj-1, 0:nk-1), c(0:nl-1, 0:nj-1)
  real(8), intent(inout) :: d(0:nl-1, 0:ni-1)
  real(8) :: ab(0:nj-1, 0:ni-1)
  integer :: i, j, k

  do i = 0, ni-1
    do j = 0, nj-1
      ab(j,i) = 0.0d0
    end do
    do k = 0, nk-1
      do j = 0, nj-1
        ab(j,i) = ab(j,i) + alpha * a(k,i) * b(j,k)
      end do
    end do
  end do
  do i = 0, ni-1
    do j = 0, nl-1
      d(j,i) = beta * d(j,i)
    end do
    do k = 0, nj-1
      do j = 0, nl-1
        d(j,i) = d(j,i) + ab(k,i) * c(j,k)
      end do
    end do
  end do
end subroutine k2mm
