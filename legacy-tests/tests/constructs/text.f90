subroutine cont_comment(a)
  real a
  a = 1. + & ! one

      ! two
      & 2.
end subroutine

subroutine cont_split_name(alpha)
  real alpha
  al&
  &pha = 1.
end subroutine

subroutine cont_string(c)
  character(40) c
  c = 'abc &
      &def'
end subroutine

subroutine semicolons(a)
  real a; integer i
  a = 1.; i = 2; if (a > 0) then; a = 2.; endif
end subroutine

subroutine else_if_noblank(a)
  real a
  if(a.gt.0.)then
  a=1.
  else if(a.lt.-1.)then
  a=2.
  else
  a=3.
  endif
end

subroutine end_glued(a,n)
  integer n,i
  real a(n)
  do i=1,n
    if (a(i)>0) then
      a(i)=0
    elseif (a(i)<-1) then
      a(i)=1
    endif
  enddo
endsubroutine end_glued

subroutine goto_glued_digits
  goto 10
10 continue
end

subroutine label_on_contains_less_format(a)
  real a
100 format (1x, f8.3)
  write (6, 100) a
end subroutine

subroutine label_on_decl(a)
5 real a
  a = 1.
end subroutine

subroutine label_on_else(a)
  real a
  if (a > 0) then
    a = 1
10 else
    a = 2
20 endif
end subroutine

subroutine label_on_elseif(a)
  real a
  if (a > 0) then
    a = 1
15 else if (a < -1) then
    a = 2
  end if
end subroutine

subroutine label_on_end(a)
  real a
  if (a > 0) goto 99
  a = 2
99 end subroutine

subroutine only_format_first
1 format (i3)
  integer k
  k = 1
  write (6,1) k
end subroutine

subroutine multi_units_a
end
subroutine multi_units_b
end subroutine
function multi_units_c()
multi_units_c=1
end

subroutine print_glued(a)
  real a
  print*,a
  print'(f8.3)',a
end subroutine

subroutine omp_directives(a,n)
  integer n,i
  real a(n)
  !$omp parallel do private(i) &
  !$omp& shared(a)
  do i = 1, n
    a(i) = 0.
  end do
  !$omp end parallel do
  !$ n = 5
  !$acc loop gang
  !dir$ ivdep
  do i = 1, n
    a(i) = 1.
  end do
end subroutine

subroutine call_noparen_if(l)
  logical l
  if (l) call call_noparen_if_t
  if (l) return
end subroutine

subroutine call_vs_index(a,f,r)
  real a(10), f, r
  external f
  r = a(3) + f(3.0) + sin(r)
end subroutine

subroutine stmt_func_vs_array(y)
  real y, f(10)
  f(1) = 2.
  y = f(1)
end subroutine

subroutine intrinsic_names(a,b)
  real a,b(3),max,size
  size = 1.
  a = max + size + sum(b)
end subroutine
