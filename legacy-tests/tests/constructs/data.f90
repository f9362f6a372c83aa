block data block_data_bd
  common /c/ a(3)
  data a /3*1.0/
end block data block_data_bd

blockdata
  common /d/ a(3)
  data a /3*1.0/
end

subroutine common_blank_none
  real a, b
  common a, b
  a = 1.
  b = 2.
end subroutine

subroutine common_blank_slashes
  real a, b
  common // a, b
  print *, a, b
  b = b + 1.
end subroutine

subroutine common_blank_spaced
  real a, b
  common / / a, b
  print *, a, b
  b = b + 1.
end subroutine

subroutine common_named
  real a, b
  integer c
  common /blk/ a, b(10), /two/ c
  a = 3.
  b(2) = a
  c = 4
  print *, a, b(2), c
end subroutine

subroutine data_after_exec(x)
  real x, a
  x = 1.
  data a /2.0/
  x = x + a
end subroutine

subroutine data_hollerith
  integer k(2)
  data k /4hABCD, 2hEF/
  print *, k
end subroutine

subroutine data_implied_do
  integer i, m(10)
  data (m(i), i=1,10) /10*0/
  print *, m
end subroutine

subroutine data_logical_char
  logical l
  character*4 c
  complex z
  data l, c, z /.true., 'ab''c', (0.,1.)/
  print *, l, c, z
end subroutine

subroutine data_mixed_implied
  integer i, p(3), c(2,9)
  data p(2), (c(1,i), i=1,9) /47, 13, 2*11, 6*15/
  print *, p(2), c(1,:)
end subroutine

subroutine data_neg_repeat
  real a(4)
  data a /2*-1.0, +2.0, 1.e3/
  print *, a
end subroutine

subroutine data_nested_implied
  integer i, j, c(2,3)
  data ((c(i,j), i=1,2), j=1,3) /6*1/
  print *, c
end subroutine

subroutine data_param_repeat
  integer, parameter :: n=4
  real a(n)
  data a /n*0.0/
  print *, a
end subroutine

subroutine data_simple
  real a, b(3)
  integer k
  data a, b /1.0, 3*0.0/, k /-5/
  print *, a, b, k
end subroutine

subroutine decl_init_slash
  integer k/5/, m(2)/1,2/
  k = m(1)
  print *, k
end subroutine

subroutine dimension_stmt(a,n)
  integer n
  dimension a(n,*), b(0:5)
  real a, b
  b(0) = a(1,1)
  print *, b(0)
end subroutine

subroutine equivalence
  real a(10), b, c(2,2)
  integer k
  equivalence (a(1), b), (a(3), k, c(1,1))
  b = 1.
  print *, a(1), b
end subroutine

subroutine save_forms
  real a, b
  common /blk/ b
  save a, /blk/
  a = 1.
  print *, a
end subroutine

subroutine namelist
  integer i
  real a
  namelist /nml/ i, a /two/ a
  read (5, nml)
  write (6, nml=two)
end subroutine

subroutine cray_pointer(n)
  integer n
  real a(10)
  pointer (pa, a)
  a(1) = n
end subroutine

subroutine block_data_values
  common /c/ a(3), /d/ b(3)
  print *, a, b
end subroutine
