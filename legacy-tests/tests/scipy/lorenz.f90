! Where a trajectory of Lorenz's equations ends: by the integrators of order 5 and 8, with their own
! control of the step.
subroutine lorenz(n, x, y, f, rpar, ipar)
  implicit none
  integer :: n, ipar(*)
  double precision :: x, y(n), f(n), rpar(*)
  f(1) = rpar(1)*(y(2) - y(1))
  f(2) = y(1)*(rpar(2) - y(3)) - y(2)
  f(3) = y(1)*y(2) - rpar(3)*y(3)
end subroutine

subroutine silent(nr, xold, x, y, n, con, icomp, nd, rpar, ipar, irtn)
  implicit none
  integer :: nr, n, nd, icomp(*), ipar(*), irtn
  double precision :: xold, x, y(n), con(*), rpar(*)
  irtn = 1
end subroutine

subroutine order5(y, rpar, xend, steps)
  implicit none
  double precision, intent(inout) :: y(3)
  double precision, intent(in) :: rpar(3), xend
  integer, intent(out) :: steps
  integer, parameter :: lwork = 8*3 + 21
  double precision :: work(lwork), x, rtol(1), atol(1)
  integer :: iwork(21), ipar(1), idid
  external :: lorenz, silent
  work = 0
  iwork = 0
  ipar = 0
  x = 0
  rtol = 1d-9
  atol = 1d-9
  call dopri5(3, lorenz, x, y, xend, rtol, atol, 0, silent, 0, work, lwork, iwork, 21, rpar, ipar, idid)
  steps = iwork(20)
end subroutine

subroutine order8(y, rpar, xend, steps)
  implicit none
  double precision, intent(inout) :: y(3)
  double precision, intent(in) :: rpar(3), xend
  integer, intent(out) :: steps
  integer, parameter :: lwork = 11*3 + 21
  double precision :: work(lwork), x, rtol(1), atol(1)
  integer :: iwork(21), ipar(1), idid
  external :: lorenz, silent
  work = 0
  iwork = 0
  ipar = 0
  x = 0
  rtol = 1d-9
  atol = 1d-9
  call dop853(3, lorenz, x, y, xend, rtol, atol, 0, silent, 0, work, lwork, iwork, 21, rpar, ipar, idid)
  steps = iwork(20)
end subroutine
