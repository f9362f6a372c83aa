! Three-point average, ping-pong between a and b (NPBench jacobi_1d).
!
!   t = 1 .. tsteps-1:  b_i = c (a_{i-1} + a_i + a_{i+1}),  then  a_i = c (b_{i-1} + b_i + b_{i+1})
!   for the interior i = 1 .. n-2, with c = 0.33333.
!
! Linear: the adjoint keeps nothing.  True tape: 0 bytes.
subroutine jacobi_1d(tsteps, n, a, b)
  implicit none
  integer, intent(in) :: tsteps, n
  real(8), intent(inout) :: a(0:n-1), b(0:n-1)
  integer :: t, i

  do t = 1, tsteps-1
    do i = 1, n-2
      b(i) = 0.33333d0 * (a(i-1) + a(i) + a(i+1))
    end do
    do i = 1, n-2
      a(i) = 0.33333d0 * (b(i-1) + b(i) + b(i+1))
    end do
  end do
end subroutine jacobi_1d
