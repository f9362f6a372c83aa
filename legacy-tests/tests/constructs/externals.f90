! What the programs call.

subroutine alt_return_call_t(a, *, *)
  real a
  if (a < 0.) return 1
  if (a > 1.) return 2
end subroutine

subroutine call_noparen_if_t
  print *, 'called'
end subroutine

subroutine external_intrinsic_g(f, h)
  external f, h
  real h
  print *, h(0.5)
  call f
end subroutine

real function external_real_time()
  external_real_time = 4.25
end function

subroutine percent_val_c(a, b)
  real, value :: a
  real b
  b = b + a
end subroutine

subroutine fixed_glued_call_t(a)
  a = a + 1.
end subroutine

subroutine fixed_holl_t(a, b)
  integer a, b
  character(4) c, d
  c = transfer(a, c)
  d = transfer(b, d)
  print *, c(1:3), d(1:2)
end subroutine

real function external_real_function(x)
  real x
  external_real_function = x * x
end function
