! A procedure with a time loop that is called in a loop, twice; EQUIVALENCE, complex numbers, a text.
subroutine inner(n, nt, z, w, y)
  implicit none
  integer, intent(in) :: n, nt
  complex(8), intent(inout) :: z(n)
  real(8), intent(inout) :: w
  real(8), intent(out) :: y
  real(8) :: pair(2), a, b
  equivalence (pair(1), a), (pair(2), b)
  integer :: it, i
  character(len=4) :: name
  a = w
  b = 0.5d0*w
  name = 'abcd'
  !$ad checkpoint binomial(2)
  do it = 1, nt
    do i = 1, n
      z(i) = z(i) + 0.05d0*z(i)*z(i) + cmplx(a, b, 8)*0.01d0
    end do
    if (name == 'abcd') then
      pair(1) = pair(1)*0.9d0 + 0.1d0*pair(2)
      name = 'wxyz'
    else
      b = b + 0.01d0*real(z(1), 8)*a
      if (mod(it, 3) == 0) name = 'abcd'
    end if
  end do
  w = a*b
  y = sum(abs(z)**2)
end subroutine
subroutine outer(n, m, nt, x, y)
  implicit none
  integer, intent(in) :: n, m, nt
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  complex(8) :: z(n)
  real(8) :: w, part
  integer :: k, i
  do i = 1, n
    z(i) = cmplx(x(i), 0.3d0*x(i), 8)
  end do
  w = x(1)
  y = 0.d0
  do k = 1, m
    call inner(n, nt + k, z, w, part)
    y = y + part*w
    if (k > 2) call inner(n, k - 3, z, w, part)
    z(1) = z(1) + 0.1d0*part
  end do
end subroutine
