! Calls the adjoint of TRAP with a function and its adjoint, and compares with the exact gradient.
program with_derivative
  implicit none
  double precision :: a, b, r, a_b, b_b, r_b
  double precision, external :: g
  external :: trap_b, g_b
  a = 0.25d0
  b = 1.5d0
  a_b = 0
  b_b = 0
  r_b = 1
  call trap_b(g, g_b, a, a_b, b, b_b, 4, r, r_b)
  if (r_b /= 0 .or. abs(a_b - slope(.true.)) > 1d-8 .or. abs(b_b - slope(.false.)) > 1d-8) stop 1
  print '(a)', 'right'
contains
  double precision function slope(of_a)
    logical, intent(in) :: of_a
    double precision, parameter :: h = 1d-5
    double precision :: up, down, step
    step = merge(h, 0d0, of_a)
    call trap(g, a + step, b + h - step, 4, up)
    call trap(g, a - step, b - h + step, 4, down)
    slope = (up - down)/(2*h)
  end function
end program
