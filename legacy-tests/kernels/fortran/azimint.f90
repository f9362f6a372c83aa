! Means of data over rings of the radius (NPBench azimint_naive).
!
! Linear in data; which data are in a ring is read off the radius again, and the number of them is
! counted again.  True tape: 0 bytes.
subroutine azimint(n, npt, rmax, data, radius, res)
  implicit none
  integer, intent(in) :: n, npt
  real(8), intent(in) :: rmax
  real(8), intent(in) :: data(0:n-1), radius(0:n-1)
  real(8), intent(out) :: res(0:npt-1)
  real(8) :: low, high, total
  integer :: i, j, found

  do i = 0, npt-1
    low = rmax * i / npt
    high = rmax * (i + 1) / npt
    total = 0.0d0
    found = 0
    do j = 0, n-1
      if (low <= radius(j) .and. radius(j) < high) then
        total = total + data(j)
        found = found + 1
      end if
    end do
    res(i) = 0.0d0
    if (found > 0) res(i) = total / found
  end do
end subroutine azimint
