! Recursive edge filter, forwards and backwards along both axes (NPBench deriche).  Index order
! transposed: the first index here is NPBench's last.
!
!   y1_j = a1 x_j + a2 x_{j-1} + b1 y1_{j-1} + b2 y1_{j-2},
!   y2_j = a3 x_{j+1} + a4 x_{j+2} + b1 y2_{j+1} + b2 y2_{j+2},  y = y1 + y2,
!   then the same along the other axis, with a5 .. a8.
!
! Linear in x.  True tape: 0 bytes.
subroutine deriche(w, h, alpha, x, out)
  implicit none
  integer, intent(in) :: w, h
  real(8), intent(in) :: alpha
  real(8), intent(in) :: x(0:h-1, 0:w-1)
  real(8), intent(out) :: out(0:h-1, 0:w-1)
  real(8) :: y1(0:h-1, 0:w-1), y2(0:h-1, 0:w-1)
  real(8) :: k, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2
  integer :: i, j

  k = (1.0d0 - exp(-alpha)) * (1.0d0 - exp(-alpha)) &
    / (1.0d0 + alpha * exp(-alpha) - exp(2.0d0 * alpha))
  a1 = k
  a5 = k
  a2 = k * exp(-alpha) * (alpha - 1.0d0)
  a6 = a2
  a3 = k * exp(-alpha) * (alpha + 1.0d0)
  a7 = a3
  a4 = -k * exp(-2.0d0 * alpha)
  a8 = a4
  b1 = exp(-alpha * 0.6931471805599453d0)
  b2 = -exp(-2.0d0 * alpha)
  c1 = 1.0d0
  c2 = 1.0d0
  do i = 0, w-1
    y1(0,i) = a1 * x(0,i)
    y1(1,i) = a1 * x(1,i) + a2 * x(0,i) + b1 * y1(0,i)
    do j = 2, h-1
      y1(j,i) = a1 * x(j,i) + a2 * x(j-1,i) + b1 * y1(j-1,i) + b2 * y1(j-2,i)
    end do
    y2(h-1,i) = 0.0d0
    y2(h-2,i) = a3 * x(h-1,i)
    do j = h-3, 0, -1
      y2(j,i) = a3 * x(j+1,i) + a4 * x(j+2,i) + b1 * y2(j+1,i) + b2 * y2(j+2,i)
    end do
    do j = 0, h-1
      out(j,i) = c1 * (y1(j,i) + y2(j,i))
    end do
  end do
  do j = 0, h-1
    y1(j,0) = a5 * out(j,0)
    y1(j,1) = a5 * out(j,1) + a6 * out(j,0) + b1 * y1(j,0)
    y2(j,w-1) = 0.0d0
    y2(j,w-2) = a7 * out(j,w-1)
  end do
  do i = 2, w-1
    do j = 0, h-1
      y1(j,i) = a5 * out(j,i) + a6 * out(j,i-1) + b1 * y1(j,i-1) + b2 * y1(j,i-2)
    end do
  end do
  do i = w-3, 0, -1
    do j = 0, h-1
      y2(j,i) = a7 * out(j,i+1) + a8 * out(j,i+2) + b1 * y2(j,i+1) + b2 * y2(j,i+2)
    end do
  end do
  do i = 0, w-1
    do j = 0, h-1
      out(j,i) = c2 * (y1(j,i) + y2(j,i))
    end do
  end do
end subroutine deriche
