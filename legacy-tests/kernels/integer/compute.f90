! out = min(max(a1, 2), 10) a + a2 b + c in integers (NPBench compute).
subroutine compute(n, a1, a2, a, b, c, out)
  implicit none
  integer, intent(in) :: n, a, b, c
  integer, intent(in) :: a1(n), a2(n)
  integer, intent(out) :: out(n)
  integer :: i

  do i = 1, n
    out(i) = min(max(a1(i), 2), 10) * a + a2(i) * b + c
  end do
end subroutine compute
