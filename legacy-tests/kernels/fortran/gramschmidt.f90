! QR factorisation by Gram and Schmidt's method (NPBench gramschmidt).  Index order transposed: the
! first index here is the column, so that vectors are strided as in NPBench.
!
!   k = 0 .. n-1:  r_kk = |a_k|,  q_k = a_k / r_kk;  j > k:  r_kj = q_k . a_j,  a_j -= q_k r_kj.
!
! Each step needs the columns of before it: m n (n-1) / 2 values, or steps that run again.
subroutine gramschmidt(m, n, a, q, r)
  implicit none
  integer, intent(in) :: m, n
  real(8), intent(inout) :: a(0:n-1, 0:m-1)
  real(8), intent(out) :: q(0:n-1, 0:m-1), r(0:n-1, 0:n-1)
  real(8) :: total
  integer :: i, j, k

  do k = 0, n-1
    do j = 0, n-1
      r(j,k) = 0.0d0
    end do
  end do
  do k = 0, n-1
    total = 0.0d0
    do i = 0, m-1
      total = total + a(k,i) * a(k,i)
    end do
    r(k,k) = sqrt(total)
    do i = 0, m-1
      q(k,i) = a(k,i) / r(k,k)
    end do
    do j = k+1, n-1
      do i = 0, m-1
        r(j,k) = r(j,k) + q(k,i) * a(j,i)
      end do
      do i = 0, m-1
        a(j,i) = a(j,i) - q(k,i) * r(j,k)
      end do
    end do
  end do
end subroutine gramschmidt
