! Three dense layers, ReLU after two of them, softmax at the end (NPBench mlp, in double precision).
! Index order transposed: the first index here is NPBench's last.
!
! Activations are local arrays that are still there, and tell the masks.  Kept are the running maximum and
! the sum of each sample, 8 n (s2 + 1) bytes.
subroutine mlp(n, cin, s0, s1, s2, x, w1, b1, w2, b2, w3, b3, out)
  implicit none
  integer, intent(in) :: n, cin, s0, s1, s2
  real(8), intent(in) :: x(0:cin-1, 0:n-1), w1(0:s0-1, 0:cin-1), b1(0:s0-1)
  real(8), intent(in) :: w2(0:s1-1, 0:s0-1), b2(0:s1-1), w3(0:s2-1, 0:s1-1), b3(0:s2-1)
  real(8), intent(out) :: out(0:s2-1, 0:n-1)
  real(8) :: h1(0:s0-1, 0:n-1), h2(0:s1-1, 0:n-1), h3(0:s2-1, 0:n-1), e(0:s2-1, 0:n-1)
  real(8) :: most, total
  integer :: i, j, k

  do i = 0, n-1
    do j = 0, s0-1
      h1(j,i) = b1(j)
    end do
    do k = 0, cin-1
      do j = 0, s0-1
        h1(j,i) = h1(j,i) + x(k,i) * w1(j,k)
      end do
    end do
    do j = 0, s0-1
      h1(j,i) = max(h1(j,i), 0.0d0)
    end do
  end do
  do i = 0, n-1
    do j = 0, s1-1
      h2(j,i) = b2(j)
    end do
    do k = 0, s0-1
      do j = 0, s1-1
        h2(j,i) = h2(j,i) + h1(k,i) * w2(j,k)
      end do
    end do
    do j = 0, s1-1
      h2(j,i) = max(h2(j,i), 0.0d0)
    end do
  end do
  do i = 0, n-1
    do j = 0, s2-1
      h3(j,i) = b3(j)
    end do
    do k = 0, s1-1
      do j = 0, s2-1
        h3(j,i) = h3(j,i) + h2(k,i) * w3(j,k)
      end do
    end do
    most = h3(0,i)
    do j = 1, s2-1
      most = max(most, h3(j,i))
    end do
    total = 0.0d0
    do j = 0, s2-1
      e(j,i) = exp(h3(j,i) - most)
      total = total + e(j,i)
    end do
    do j = 0, s2-1
      out(j,i) = e(j,i) / total
    end do
  end do
end subroutine mlp
