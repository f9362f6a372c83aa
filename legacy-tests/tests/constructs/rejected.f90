subroutine format_neg_p(a)
  real a
  write (6, 10) a
10 format (2x, -2pf12.2, +1x)
end subroutine

recursive pure real(8) function func_prefixes_f(x) result(y)
  real(8), intent(in) :: x
  real(8) :: y
  y = x
end function

integer function func_type_len_k*8(x)
  real x
  func_type_len_k = x
end

subroutine open_close(f)
  character(*) f
  integer l
  open (10, file=f, status='old', err=10)
  open (unit=11, file='x'//'y', form='unformatted')
  inquire (file=f, exist=l)
  inquire (iolength=l) f
  rewind 10
  backspace (10)
  endfile 10
  close (10)
  close (unit=11, status='delete')
10 return
end subroutine

subroutine parameter_stmt
  parameter (pi=3.14159d0, n=10, m=n*2)
  double precision pi
end subroutine

subroutine real_entity_star
  real a*8, b(3)*4
  a = 1d0
end subroutine

subroutine write_forms(a,n,f)
  integer n, ios, i
  real a(n)
  character(8) f
  write (*,*) a
  write (6, '(a,f8.3)', advance='no', err=10) 'x', a(1)
  write (unit=6, fmt=10) (a(i), i=1,n)
  write (6, f) a
  write (f(1:4), '(i4)') n
  write (6, *, iostat=ios) a(1:n:2)
10 format (5f8.3)
end subroutine

subroutine include_line
  include 'x.inc'
  a = 1
end subroutine

subroutine boz_data_x(i)
  integer i, j
  data j /X'0F'/
  i = j
end subroutine

subroutine coarray_like(a)
  real :: a[*]
  a[1] = 2.
  sync all
end subroutine

subroutine data_short_logical
  logical l(2)
  data l /t, .f./
end subroutine

subroutine dec_structure
  structure /pt/
    real x, y
  end structure
  record /pt/ p
  p.x = 1.
end subroutine

subroutine encode_decode(c,i)
  character*8 c
  integer i
  encode (8, 10, c) i
  decode (8, 10, c) i
10 format (i8)
end subroutine

subroutine format_variable(a,n)
  integer n
  real a(n)
  write (6, 10) a
10 format (<n>f8.2)
end subroutine

subroutine macro_type
  use m
  Vec v
  PetscInt :: n
  n = 1
end subroutine

subroutine print_trailing_comma(a)
  real a
  print *,
  a = 1.
end subroutine

subroutine type_accept(a)
  real a
  type *, a
  accept *, a
end subroutine
