! g = (a b) (c d) (NPBench k3mm).  Index order transposed: the first index here is the column.
!
! Both products are local arrays that are still there.  True tape: 0 bytes.
subroutine k3mm(ni, nj, nk, nl, nm, a, b, c, d, g)
  implicit none
  integer, intent(in) :: ni, nj, nk, nl, nm
  real(8), intent(in) :: a(0:nk-1, 0:ni-1), b(0:nj-1, 0:nk-1)
  real(8), intent(in) :: c(0:nm-1, 0:nj-1), d(0:nl-1, 0:nm-1)
  real(8), intent(out) :: g(0:nl-1, 0:ni-1)
  real(8) :: ab(0:nj-1, 0:ni-1), cd(0:nl-1, 0:nj-1)
  integer :: i, j, k

  do i = 0, ni-1
    do j = 0, nj-1
      ab(j,i) = 0.0d0
    end do
    do k = 0, nk-1
      do j = 0, nj-1
        ab(j,i) = ab(j,i) + a(k,i) * b(j,k)
      end do
    end do
  end do
  do i = 0, nj-1
    do j = 0, nl-1
      cd(j,i) = 0.0d0
    end do
    do k = 0, nm-1
      do j = 0, nl-1
        cd(j,i) = cd(j,i) + c(k,i) * d(j,k)
      end do
    end do
  end do
  do i = 0, ni-1
    do j = 0, nl-1
      g(j,i) = 0.0d0
    end do
    do k = 0, nj-1
      do j = 0, nl-1
        g(j,i) = g(j,i) + ab(k,i) * cd(j,k)
      end do
    end do
  end do
end subroutine k3mm
