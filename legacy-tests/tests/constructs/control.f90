subroutine arith_if(a,k)
  real a
  integer k
  if (a - 1.0) 10, 20, 30
10 k = 1
  return
20 k = 2
  return
30 k = 3
end subroutine

subroutine assign_goto_bare(k)
  integer i,k
  assign 10 to i
  go to i
10 k = 1
end subroutine

subroutine assign_goto_list(k)
  integer i,k
  assign 10 to i
  go to i, (10, 20)
10 k = 1
20 k = 2
end subroutine

subroutine computed_goto(i,k)
  integer i,k
  go to (10, 20, 30), i
10 k = 1
20 k = 2
30 k = 3
end subroutine

subroutine computed_goto_nocomma(i,k)
  integer i,k
  goto (10, 20) i+1
10 k = 1
20 k = 2
end subroutine

subroutine do_concurrent(a,n)
  integer n,i,j
  real a(n,n)
  do concurrent (i=1:n, j=1:n, i>j)
    a(i,j) = 0.
  end do
end subroutine

subroutine do_forever(a)
  real a
  do
    a = a - 1
    if (a < 0) exit
  end do
  do while (a < 1)
    a = a + 1
  enddo
end subroutine

subroutine do_label_comma(a,n)
  integer n,i
  real a(n)
  do 10, i = 1, n
    a(i) = 0.0
10 continue
end subroutine

subroutine do_label_continue(a,n)
  integer n,i
  real a(n)
  do 10 i = 1, n
    a(i) = 0.0
10 continue
end subroutine

subroutine do_label_enddo(a,n)
  integer n,i
  real a(n)
  do 10 i = 1, n
    a(i) = 0.0
10 end do
end subroutine

subroutine do_label_if_end(a,n)
  integer n,i
  real a(n)
  do 10 i = 1, n
10 if (a(i) .lt. 0.) a(i) = 0.0
end subroutine

subroutine do_label_nonblock(a,n)
  integer n,i
  real a(n)
  do 10 i = 1, n
10 a(i) = 0.0
end subroutine

subroutine do_label_shared(a,n)
  integer n,i,j
  real a(n,n)
  do 10 j = 1, n
  do 10 i = 1, n
  if (i .eq. j) go to 10
  a(i,j) = 0.0
10 continue
end subroutine

subroutine do_label_shared_assign(a,n)
  integer n,i,j
  real a(n,n)
  do 10 j = 1, n
  do 10 i = 1, n
10 a(i,j) = 0.0
end subroutine

subroutine do_label_while(a,n)
  integer n
  real a(n)
  do 10 while (n .gt. 0)
  n = n - 1
10 continue
end subroutine

subroutine do_real_var(a)
  real a, t
  do 10 t = 0.0, 1.0, 0.25
10 a = a + t
end subroutine

subroutine if_goto(a,k)
  real a
  integer k
  if (a .gt. 0.) goto 10
  if (a .lt. -1.) go to 10
  k = 0
10 return
end subroutine

subroutine logical_if_assign(x,a,b,i)
  logical x
  integer i
  real a(9), b
  if (x) a(i) = b
end subroutine

subroutine named_constructs(a,n)
  integer n,i
  real a(n)
  outer: do i = 1, n
    chk: if (a(i) > 0) then
      cycle outer
    else chk
      exit outer
    end if chk
  end do outer
end subroutine

subroutine select_case(i,k)
  integer i,k
  select case (i)
  case (1, 3:5, :-1)
    k = 1
  case default
    k = 2
  end select
end subroutine

subroutine where_nested_label(a,i,n)
  real a(n)
  integer i,n
10 if (i .gt. n) return
  i = i + 1
  goto 10
end subroutine

subroutine forall(a,n,m)
  integer n,i,j
  real a(n,n)
  logical m(n)
  forall (i=1:n, j=1:n, i /= j) a(i,j) = 0.
  forall (i=1:n, m(i)) a(i,i) = 1.
  forall (i=1:n)
    a(i,i) = 2.
  end forall
end subroutine

subroutine alt_return_call(a)
  real a
  call alt_return_call_t(a, *10, *20)
  return
10 a = 1.
20 a = 2.
end subroutine

subroutine alt_return_dummy(a,*,*)
  real a
  if (a .gt. 0.) return 1
  return 2
end subroutine

subroutine entry(a)
  real a, b
  a = 1.
  return
  entry entry_e(b)
  b = 2.
end subroutine

function entry_result_f(a) result(r)
  real a, r, q
  r = a
  return
  entry entry_result_g(a) result(q)
  q = 2.*a
end function

subroutine pause_stop
  pause 'x'
  stop 77
end subroutine

subroutine stmt_function(x,y)
  real x, y, f, a
  f(a) = a*a + 1.
  y = f(x)
end subroutine
