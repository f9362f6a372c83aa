subroutine work(a, n)
  implicit none
  integer :: n, i
  real(8) :: a(n)
  real(8) :: c(4), s
  common /blk/ c, s
  do i = 1, n
    s = s + a(i)*c(i)
  end do
end subroutine
subroutine head(x, f)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: f
  real(8) :: c(4), s
  real(8) :: both(8), first(4), second(4)
  common /blk/ c, s
  equivalence (both(1), first(1)), (both(5), second(1))
  integer :: i
  c = x*x
  s = 0
  call work(x, 4)
  ! only read, though also in COMMON
  call work(c, 3)
  first = x
  second = c
  f = s
  do i = 1, 8
    f = f + both(i)*both(9-i)
  end do
end subroutine
