! Loops that are left early, by EXIT and by a jump, and loops that run nobody knows how often.
module leaving
  implicit none
contains
  subroutine by_exit(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: s(n)
    integer :: i, k
    s = x
    do k = 1, m
      do i = 1, n
        s(i) = s(i)*cos(s(i))
        if (s(i) < 1d-3) s(i) = s(i) + x(i)**2
      end do
      if (sum(s) < 0.3d0*n) exit
      s = s + 0.01d0*x*s
    end do
    y = sum(s**2)
  end subroutine by_exit

  subroutine by_jump(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: s
    integer :: i, k
    y = 1
    do 10 i = 1, n
      s = x(i)
      do 20 k = 1, m
        s = s*cos(s)*0.95d0
        if (s < 2d-2) goto 30
        y = y + s*y*1d-3
20    continue
30    y = y*(1 + s*s)
10  continue
  end subroutine by_jump

  subroutine by_condition(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: s
    integer :: i
    y = 1
    do i = 1, n
      s = x(i)
      do while (s > 1d0/m)
        s = s - 0.3d0*s*s*y
      end do
      y = y*sin(1 + s)
    end do
  end subroutine by_condition

  recursive subroutine by_calls(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, n
      x(i) = x(i)*cos(x(i))
    end do
    y = y + sum(x**2)
    if (m > 0) call by_calls(n, m - 1, x, y)
    do i = 1, n
      x(i) = sin(x(i))*y*0.1d0
    end do
  end subroutine by_calls
end module leaving
