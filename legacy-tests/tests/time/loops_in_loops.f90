! A time loop under a condition in a loop, with bounds of that; triangular loops in its steps.
subroutine nested(n, m, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, t(n)
  integer :: j, it, i, last
  y = 0.d0
  last = 0
  do j = 1, m
    s = x(j)
    t = x*0.5d0
    if (mod(j, 2) == 1 .or. x(1) > 0.7d0) then
      do it = j, m + j, 2
        do i = it, n
          t(i) = t(i) + 0.1d0*s*t(i)**2
        end do
        do i = n, 2, -1
          x(i) = x(i) + 0.05d0*t(i-1)*x(i)
        end do
        s = s + 0.1d0*t(min(it, n))
        last = it
      end do
    end if
    y = y + s*last
    x(j) = x(j) + s*0.01d0
  end do
end subroutine
