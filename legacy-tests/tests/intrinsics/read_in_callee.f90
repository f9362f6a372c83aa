! The adjoint of a call of `inner` would run it again, and read the next record.
subroutine inner(x, y)
  implicit none
  double precision, intent(inout) :: x, y
  integer :: i, k
  read (77, *) k
  do i = 1, k
    y = y*x + sin(x)
    x = x*y
  end do
end subroutine

subroutine f(x, y)
  implicit none
  double precision, intent(in) :: x
  double precision, intent(out) :: y
  double precision :: t
  t = x
  y = 1
  call inner(t, y)
end subroutine
