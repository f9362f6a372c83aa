! A loop that runs nobody knows how often around one that is left early.
subroutine inner_exit(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, e
  integer :: k, i
  y = 0
  s = x(1)
  e = 1
  k = 0
  do while (e > 1d-3 .and. k < 400)
    k = k + 1
    do i = 1, n
      s = s + 0.01d0*x(i)*cos(s)
      if (s > 50d0) exit
    end do
    e = e*0.98d0
    y = y + s*e*x(mod(k, n) + 1)
  end do
end subroutine
