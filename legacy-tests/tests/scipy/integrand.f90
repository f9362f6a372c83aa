! The area under a bump whose width and height come in by COMMON, as integrands have it that take
! one argument only.
double precision function bump(x)
  implicit none
  double precision, intent(in) :: x
  double precision :: width, height
  common /shape/ width, height
  bump = height*exp(-x*x/width)
end function

subroutine area(w, h, a, b, result, abserr, resabs, resasc)
  implicit none
  double precision, intent(in) :: w, h, a, b
  double precision, intent(out) :: result, abserr, resabs, resasc
  double precision :: width, height
  common /shape/ width, height
  double precision, external :: bump
  width = w
  height = h
  call dqk21(bump, a, b, result, abserr, resabs, resasc)
end subroutine
