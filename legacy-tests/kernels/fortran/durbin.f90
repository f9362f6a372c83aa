! Levinson-Durbin recursion for a Toeplitz system (NPBench durbin).
!
!   k = 1 .. n-1:  beta *= 1 - alpha^2,  alpha = -(r_k + sum_{i<k} r_{k-1-i} y_i) / beta,
!   y_i += alpha y_{k-1-i} for i < k,  y_k = alpha.
!
! Each step needs y of before it: the history of y, n (n-1) / 2 values, or steps that run again.
subroutine durbin(n, r, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: r(0:n-1)
  real(8), intent(out) :: y(0:n-1)
  real(8) :: z(0:n-1)
  real(8) :: alpha, beta, total
  integer :: i, k

  y(0) = -r(0)
  alpha = -r(0)
  beta = 1.0d0
  do k = 1, n-1
    beta = (1.0d0 - alpha * alpha) * beta
    total = r(k)
    do i = 0, k-1
      total = total + r(k-1-i) * y(i)
    end do
    alpha = (-total) / beta
    do i = 0, k-1
      z(i) = y(i) + alpha * y(k-1-i)
    end do
    do i = 0, k-1
      y(i) = z(i)
    end do
    y(k) = alpha
  end do
end subroutine durbin
