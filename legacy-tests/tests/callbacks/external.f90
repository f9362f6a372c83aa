subroutine fun(n, x, f, w)
  implicit none
  integer :: n
  double precision :: x(n), f(n), w(*)
  f = x**2*w(1) + sin(x)
end subroutine
subroutine newton(fcn, n, x, f, w, flag)
  implicit none
  external fcn
  integer :: n, flag
  double precision :: x(n), f(n), w(*), norm
  double precision, external :: weight
  integer :: k
  call fcn(n, x, f, w)
  norm = 0
  do k = 1, 4
    x = x - 0.1d0*f
    call fcn(n, x, f, w)
    if (sum(abs(f)) < 1d-3) then
      flag = k
      return
    end if
  end do
  flag = 0
end subroutine
double precision function wgt(x)
  implicit none
  double precision :: x
  wgt = 1/(1 + x*x)
end function
subroutine outer(fcn, g, n, x, f, w, flag, t)
  implicit none
  external fcn
  double precision, external :: g
  integer :: n, flag
  double precision :: x(n), f(n), w(*), t, c
  c = g(3d0)
  call newton(fcn, n, x, f, w, flag)
  t = g(x(1))*g(t)*c
end subroutine
subroutine head(x, f, w, t)
  implicit none
  double precision :: x(4), f(4), w(2), t
  external fun
  double precision, external :: wgt
  integer :: flag
  call outer(fun, wgt, 4, x, f, w, flag, t)
end subroutine
