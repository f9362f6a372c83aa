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
  common /blk/ c, s
  c = x*x
  s = 0
  call work(x, 4)
  call work(c, 3)
  call work(c(2), 2)
  f = s
end subroutine
