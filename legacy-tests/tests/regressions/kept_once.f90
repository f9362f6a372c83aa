! Values that are kept once, by the first write after their use or whole before a loop, and traps for
! both: loops without trips, writes on some paths, uses between two writes, uses of what a loop wrote.
subroutine kept_once(n, m, x, a, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(inout) :: x(n)
  real(8), intent(in) :: a(n, n)
  real(8), intent(out) :: y(n)
  real(8) :: b(n), c(n), s, t
  integer :: i, j, k

  ! The old x above i: kept whole.
  do i = 1, n
    do k = i + 1, n
      x(i) = x(i) + a(k,i) * x(k)
    end do
  end do
  x = 0.5d0 * x
  ! The new x below i: not what the loop found.
  do i = 1, n
    do k = 1, i - 1
      x(i) = x(i) + a(k,i) * x(k)
    end do
  end do
  ! Both at once.
  do i = 1, n
    do k = 1, n
      if (k /= i) x(i) = x(i) + 0.1d0 * a(k,i) * x(k)
    end do
  end do
  b = x
  do j = 1, m
    ! In a loop that keeps b again and again.
    do i = 1, n
      do k = i + 1, n
        b(i) = b(i) + a(i,k) * b(k) * 0.1d0
      end do
    end do
    do i = 1, n
      b(i) = b(i) * b(i) * 0.2d0
    end do
  end do
  y = 0.0d0
  s = 1.0d0
  do i = 1, n
    ! s is used after the first loop, set ahead of both: the loop may have no trip.
    t = s * b(i)
    if (x(i) > 0.6d0) then
      s = 0.3d0
    end if
    do k = 1, i - 2
      s = s + a(k,i) * x(k)
      t = t + s * s
    end do
    do k = 1, n - i
      s = s * 0.9d0
    end do
    y(i) = y(i) + t * s
    s = sin(s)
    s = s + x(i)
  end do
  ! c is set in part before it is summed into.
  c = b
  do j = 1, m
    y(1) = y(1) + c(1) * c(n)
    do i = 2, n
      c(i) = 0.5d0 * x(i)
    end do
    do i = 1, n
      c(i) = c(i) + b(i) * c(1)
    end do
  end do
  y(n) = y(n) + c(1) * c(2) * s
end subroutine kept_once
