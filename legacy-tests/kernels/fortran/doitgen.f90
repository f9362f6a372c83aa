! a_rq := c4^T a_rq for each row of a cube, in place (NPBench doitgen).  Index order transposed: the
! first index here is NPBench's last.
!
! Linear in a: tape 0 bytes with respect to it.  With respect to c4 the old a, once: 8 nr nq np bytes.
subroutine doitgen(nr, nq, np, a, c4)
  implicit none
  integer, intent(in) :: nr, nq, np
  real(8), intent(inout) :: a(0:np-1, 0:nq-1, 0:nr-1)
  real(8), intent(in) :: c4(0:np-1, 0:np-1)
  real(8) :: row(0:np-1)
  integer :: r, q, p, s

  do r = 0, nr-1
    do q = 0, nq-1
      do p = 0, np-1
        row(p) = 0.0d0
        do s = 0, np-1
          row(p) = row(p) + a(s,q,r) * c4(p,s)
        end do
      end do
      do p = 0, np-1
        a(p,q,r) = row(p)
      end do
    end do
  end do
end subroutine doitgen
