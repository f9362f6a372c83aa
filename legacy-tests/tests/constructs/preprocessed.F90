subroutine cpp_in_expr(a, &
#ifdef X
   b, &
#endif
   c)
  real a, b, c
  a = c
end subroutine

subroutine cpp_line_marker(a)
  real a
# 3 "a.inc" 1
  a = 0
end subroutine

subroutine cpp_ok(a)
  real a
#if defined(X) && !defined(Y)
  a = 0
#else
  a = 1
#endif
end subroutine

subroutine cpp_split_do(a,n)
  integer n, i
  real a(n)
#ifdef X
  do i = 1, n
#else
  do i = 1, n-1
#endif
    a(i) = 0
  end do
end subroutine

subroutine cpp_split_if(a)
  real a
#ifdef X
  if (a > 0) then
#else
  if (a > 1) then
#endif
    a = 0
  end if
end subroutine

#define SQ(x) ((x)*(x))
subroutine cpp_macro_expression(a)
  real a
  a = SQ(a)
end subroutine
