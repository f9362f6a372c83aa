! Implicit vertical advection of velocity tendencies, a tridiagonal solve per column (NPBench vadv).
! Index order transposed: the first index here is NPBench's last, the level.
!
!   w_k = wcon_{i+1} + wcon_i;  below and above: as = -w_k / 8, cs = w_{k+1} / 8,
!   (b - cc_{k-1} as) cc_k = cs,  (b - cc_{k-1} as) dc_k = d_k - dc_{k-1} as,  b = dtr - as - cs,
!   d_k = dtr upos + utens + ustage_tendency - as (u_{k-1} - u_k) - cs (u_{k+1} - u_k),
!   x_k = dc_k - cc_k x_{k+1},  tendency = dtr (x_k - upos).
!
! With coefficients that vary, what the column's solve needs is one column of intermediate values, run
! again column by column.
subroutine vadv(ni, nj, nk, tendency, ustage, wcon, upos, utens)
  implicit none
  integer, intent(in) :: ni, nj, nk
  real(8), intent(inout) :: tendency(0:nk-1, 0:nj-1, 0:ni-1)
  real(8), intent(in) :: ustage(0:nk-1, 0:nj-1, 0:ni-1), wcon(0:nk-1, 0:nj-1, 0:ni)
  real(8), intent(in) :: upos(0:nk-1, 0:nj-1, 0:ni-1), utens(0:nk-1, 0:nj-1, 0:ni-1)
  real(8) :: cc(0:nk-1, 0:nj-1, 0:ni-1), dc(0:nk-1, 0:nj-1, 0:ni-1), x(0:nj-1, 0:ni-1)
  real(8) :: dtr, as, cs, divided, correction
  integer :: i, j, k

  dtr = 3.0d0 / 20.0d0
  do k = 0, nk-1
    do i = 0, ni-1
      do j = 0, nj-1
        as = 0.0d0
        cs = 0.0d0
        correction = 0.0d0
        if (k > 0) then
          as = -0.125d0 * (wcon(k,j,i+1) + wcon(k,j,i))
          correction = correction - as * (ustage(k-1,j,i) - ustage(k,j,i))
        end if
        if (k < nk-1) then
          cs = 0.125d0 * (wcon(k+1,j,i+1) + wcon(k+1,j,i))
          correction = correction - cs * (ustage(k+1,j,i) - ustage(k,j,i))
        end if
        cc(k,j,i) = cs
        dc(k,j,i) = dtr * upos(k,j,i) + utens(k,j,i) + tendency(k,j,i) + correction
        if (k > 0) then
          divided = 1.0d0 / (dtr - as - cs - cc(k-1,j,i) * as)
          dc(k,j,i) = (dc(k,j,i) - dc(k-1,j,i) * as) * divided
        else
          divided = 1.0d0 / (dtr - as - cs)
          dc(k,j,i) = dc(k,j,i) * divided
        end if
        cc(k,j,i) = cc(k,j,i) * divided
      end do
    end do
  end do
  do k = nk-1, 0, -1
    do i = 0, ni-1
      do j = 0, nj-1
        if (k == nk-1) then
          x(j,i) = dc(k,j,i)
        else
          x(j,i) = dc(k,j,i) - cc(k,j,i) * x(j,i)
        end if
        tendency(k,j,i) = dtr * (x(j,i) - upos(k,j,i))
      end do
    end do
  end do
end subroutine vadv
