! Bodies that attract each other, softened, by the kick-drift-kick scheme (NPBench nbody, written from
! the physics).  Index order transposed: the first index here is NPBench's last.
!
!   a_i = g sum_j m_j (x_j - x_i) (|x_j - x_i|^2 + eps^2)^{-3/2};  v += a dt/2, x += v dt, a = a(x),
!   v += a dt/2;  energies: sum m v^2 / 2 and -g sum_{i<j} m_i m_j / |x_j - x_i| after each step.
!
! A step needs the positions of before it, 24 n bytes, and the velocities if the kinetic energy is
! differentiated; what belongs to pairs is computed again.
subroutine nbody(n, nt, dt, g, eps, mass, pos, vel, kinetic, potential)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: dt, g, eps
  real(8), intent(in) :: mass(0:n-1)
  real(8), intent(inout) :: pos(0:2, 0:n-1), vel(0:2, 0:n-1)
  real(8), intent(out) :: kinetic(0:nt), potential(0:nt)
  real(8) :: acc(0:2, 0:n-1)
  real(8) :: dx, dy, dz, r2, s, sum
  integer :: t, i, j

  do t = 0, nt
    if (t > 0) then
      do i = 0, n-1
        do j = 0, 2
          vel(j,i) = vel(j,i) + 0.5d0 * dt * acc(j,i)
          pos(j,i) = pos(j,i) + dt * vel(j,i)
        end do
      end do
    end if
    do i = 0, n-1
      acc(0,i) = 0.0d0
      acc(1,i) = 0.0d0
      acc(2,i) = 0.0d0
      do j = 0, n-1
        dx = pos(0,j) - pos(0,i)
        dy = pos(1,j) - pos(1,i)
        dz = pos(2,j) - pos(2,i)
        r2 = dx * dx + dy * dy + dz * dz + eps * eps
        s = g * mass(j) / (r2 * sqrt(r2))
        acc(0,i) = acc(0,i) + s * dx
        acc(1,i) = acc(1,i) + s * dy
        acc(2,i) = acc(2,i) + s * dz
      end do
    end do
    if (t > 0) then
      do i = 0, n-1
        do j = 0, 2
          vel(j,i) = vel(j,i) + 0.5d0 * dt * acc(j,i)
        end do
      end do
    end if
    sum = 0.0d0
    do i = 0, n-1
      sum = sum + 0.5d0 * mass(i) * (vel(0,i) * vel(0,i) + vel(1,i) * vel(1,i) + vel(2,i) * vel(2,i))
    end do
    kinetic(t) = sum
    sum = 0.0d0
    do i = 0, n-1
      do j = i+1, n-1
        dx = pos(0,j) - pos(0,i)
        dy = pos(1,j) - pos(1,i)
        dz = pos(2,j) - pos(2,i)
        r2 = dx * dx + dy * dy + dz * dz
        sum = sum - g * mass(i) * mass(j) / sqrt(r2)
      end do
    end do
    potential(t) = sum
  end do
end subroutine nbody
