subroutine char_kind_len
  character (len=10) a
  character (10) b
  character (kind=1, len=*), parameter :: c = 'x'
  b = c
  a = b
  print *, a, c
end subroutine

subroutine char_len_comma
  character*4, a
  a = 'x'
  print *, a
end subroutine

subroutine char_len_entity
  character a*8, b(3)*4, c
  b = 'wxyz'
  a = b(1)
  print *, a
end subroutine

subroutine char_len_entity_expr
  integer, parameter :: n = 8
  character a*(n), b(3)*(n+1)
  b = 'wxyz'
  a = b(1)
  print *, a
end subroutine

subroutine char_len_star(a, b)
  character*(*) a
  character b*(*)
  a = b
end subroutine

character*(*) function func_char_star_c(x)
  character*(*) x
  func_char_star_c = x
end

doubleprecision function func_dp_glued_f(x)
  doubleprecision x
  func_dp_glued_f = x
end

real*8 function func_typed_star_f(x)
  real*8 x
  func_typed_star_f = x*x
end

subroutine implicit_char(c)
  implicit character*(8) (c)
  c = 'a'
end subroutine

subroutine implicit_dp(a)
  implicit double precision (a-h, o-z)
  a = 1
end subroutine

subroutine implicit_kind(a)
  implicit real(8) (a-h, o-z)
  a = 1
end subroutine

subroutine implicit_real8(a)
  implicit real*8 (a-h,o-z), integer (i-n)
  a = 1
end subroutine

subroutine iso_c(p) bind(c, name='iso_c_')
  use, intrinsic :: iso_c_binding, only: c_ptr, dp => c_double
  type(c_ptr), value :: p
end subroutine

subroutine kinds(r)
  integer, parameter :: dp = kind(1d0)
  real(dp) r
  r = 1.0_dp + 1.e-3_8 + 2_4*3.d0 + .5_dp + 1._dp
end subroutine

subroutine old_rel_param
  parameter n=10
  real a(n)
  a(1) = 1
  print *, a(1)
end subroutine

subroutine real_star8
  real*8 a, b(10)
  integer*4 i
  complex*16 z
  logical*1 l
  a = 1d0
  print *, a
end subroutine

subroutine type_star_kind(n)
  integer n
  integer (kind=4) :: i
  real (kind = 8) r(3), q
  i = n
  print *, i
end subroutine

module enum
  enum, bind(c)
    enumerator :: a = 1, b
  end enum
end module

subroutine enum_values(k)
  use enum
  integer k
  k = k + b
end subroutine

subroutine external_intrinsic(f)
  external f, external_intrinsic_g
  intrinsic sin, max
  call external_intrinsic_g(f, sin)
end subroutine

subroutine external_real
  real external_real_time
  external external_real_time
  x = external_real_time()
  print *, x
end subroutine

subroutine percent_val(a)
  real a
  call percent_val_c(%val(a), %ref(a))
end subroutine
