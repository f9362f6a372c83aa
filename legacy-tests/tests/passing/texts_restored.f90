! Texts that callees change and branch on, in a loop of unknown length.
subroutine step(x, y, msg, k)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  character(len=*), intent(inout) :: msg
  integer, intent(inout) :: k
  if (msg(1:1) == 'a') then
    y = x*x
    msg = 'b'
  else
    y = sin(x)
    msg = 'a'
    k = k + 1
  end if
end subroutine
subroutine head(n, x, y, msg)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  character(len=*), intent(inout) :: msg
  character(len=5) :: own
  character(8) :: names(2)
  integer :: i, k
  real(8) :: t, u
  t = x
  own = 'a'
  names = 'bb'
  k = 0
  do while (k < n)
    call step(t, u, msg, k)
    t = 0.5d0*t + u*x
    call step(t, u, own, k)
    t = t + u
    call step(t, u, names(2), k)
    t = t - u*u
  end do
  y = t
end subroutine
