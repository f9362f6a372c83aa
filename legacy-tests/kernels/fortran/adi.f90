! Alternating-direction implicit heat equation: a sweep along columns gives v from u, one along rows u
! from v (NPBench adi).  Index order transposed: the first index here is NPBench's last.
!
!   column sweep, i = 1 .. n-2:  p_j = -c / (a p_{j-1} + b),
!     q_j = (-d u_{j,i-1} + (1 + 2 d) u_{j,i} - f u_{j,i+1} - a q_{j-1}) / (a p_{j-1} + b),
!     v_j = p_j v_{j+1} + q_j downwards;  row sweep with (d, e, f) and source (a, c) likewise.
!
! Linear in u: p does not depend on it and can be had again.  True tape: 0 bytes.
subroutine adi(tsteps, n, u)
  implicit none
  integer, intent(in) :: tsteps, n
  real(8), intent(inout) :: u(0:n-1, 0:n-1)
  real(8) :: v(0:n-1, 0:n-1), p(0:n-1, 0:n-1), q(0:n-1, 0:n-1)
  real(8) :: dx, dy, dt, mul1, mul2, a, b, c, d, e, f
  integer :: t, i, j

  dx = 1.0d0 / n
  dy = 1.0d0 / n
  dt = 1.0d0 / tsteps
  mul1 = 2.0d0 * dt / (dx * dx)
  mul2 = 1.0d0 * dt / (dy * dy)
  a = -mul1 / 2.0d0
  b = 1.0d0 + mul2
  c = a
  d = -mul2 / 2.0d0
  e = 1.0d0 + mul2
  f = d
  do t = 1, tsteps
    do i = 1, n-2
      v(i,0) = 1.0d0
      p(0,i) = 0.0d0
      q(0,i) = v(i,0)
      do j = 1, n-2
        p(j,i) = -c / (a * p(j-1,i) + b)
        q(j,i) = (-d * u(i-1,j) + (1.0d0 + 2.0d0 * d) * u(i,j) - f * u(i+1,j) - a * q(j-1,i)) &
          / (a * p(j-1,i) + b)
      end do
      v(i,n-1) = 1.0d0
      do j = n-2, 1, -1
        v(i,j) = p(j,i) * v(i,j+1) + q(j,i)
      end do
    end do
    do i = 1, n-2
      u(0,i) = 1.0d0
      p(0,i) = 0.0d0
      q(0,i) = u(0,i)
      do j = 1, n-2
        p(j,i) = -f / (d * p(j-1,i) + e)
        q(j,i) = (-a * v(j,i-1) + (1.0d0 + 2.0d0 * a) * v(j,i) - c * v(j,i+1) - d * q(j-1,i)) &
          / (d * p(j-1,i) + e)
      end do
      u(n-1,i) = 1.0d0
      do j = n-2, 1, -1
        u(j,i) = p(j,i) * u(j+1,i) + q(j,i)
      end do
    end do
  end do
end subroutine adi
