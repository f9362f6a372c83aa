subroutine end_file_spaced
  end file 10
end subroutine

subroutine format_basic(a)
  real a
  write (6, 10) a
10 format (1x, 'a = ', f10.3, 3(i5,2x), /, 1p, e12.4, t20, a)
end subroutine

subroutine format_colon_sign(a)
  real a
  write (6, 10) a
10 format (sp, f8.2, :, ss, bn, $)
end subroutine

subroutine format_doubleslash(a)
  real a
  write (6, 10) a
10 format (//, 1x//f10.3//)
end subroutine

subroutine format_hollerith(a)
  real a
  write (6, 10) a
10 format (7h  a = ', f10.3, 3h)  )
end subroutine

subroutine format_slash_end(a)
  real a
  write (6, 10) a
10 format (1x, f10.3/)
end subroutine

subroutine format_slash_start(a)
  real a
  write (6, 10) a
10 format (/1x, f10.3)
end subroutine

subroutine io_implied_nested(a,n)
  integer n,i,j
  real a(n,n)
  write (6,*) ((a(i,j), i=1,n), j=1,n)
end subroutine

subroutine print_forms(a)
  real a
  print *, 'a', a
  print 10, a
  print '(f8.3)', a
  print *
10 format (f8.3)
end subroutine

subroutine read_end_only(a)
  real a
  read (5, end=10) a
10 return
end subroutine

subroutine read_forms(a,n)
  integer n, i
  real a(n)
  read (5, *, end=10, err=20) n, (a(i), i=1,n)
  read *, n
  read 30, n
  read (5, '(i4)') n
  read (5, rec=3) a
  read (5, 30, end=10) n
10 continue
20 continue
30 format (i4)
end subroutine
