! Distances along great circles between pairs of points, latitudes th and longitudes ph (NPBench
! arc_distance).
!
!   s = sin((th2 - th1) / 2)^2 + cos(th1) cos(th2) sin((ph2 - ph1) / 2)^2
!   d = 2 atan2(sqrt(s), sqrt(1 - s))
!
! Pairs are independent and each is reversed as soon as it has run.  True tape: 0 bytes.
subroutine arc_distance(n, th1, ph1, th2, ph2, d)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: th1(0:n-1), ph1(0:n-1), th2(0:n-1), ph2(0:n-1)
  real(8), intent(out) :: d(0:n-1)
  real(8) :: a, b, s
  integer :: i

  do i = 0, n-1
    a = sin((th2(i) - th1(i)) / 2.0d0)
    b = sin((ph2(i) - ph1(i)) / 2.0d0)
    s = a * a + cos(th1(i)) * cos(th2(i)) * b * b
    d(i) = 2.0d0 * atan2(sqrt(s), sqrt(1.0d0 - s))
  end do
end subroutine arc_distance
