! A bottleneck block of a residual network: 1x1, 3x3 and 1x1 convolutions, each normalised over the
! batch, ReLU, and the input added at the end (NPBench resnet, in double precision).
! Index order transposed: the first index here is the channel, NPBench's last.
!
!   bn(x) = (x - mean x) / sqrt(std x + 1e-5), mean and std over the n images of each point and channel
!
! Activations are local arrays that are still there.  True tape: mean, variance and scale of each point and
! channel, 24 h h (2 c2 + c1) bytes.
subroutine resnet(n, h, c1, c2, x, w1, w2, w3, out)
  implicit none
  integer, intent(in) :: n, h, c1, c2
  real(8), intent(in) :: x(0:c1-1, 0:h-1, 0:h-1, 0:n-1)
  real(8), intent(in) :: w1(0:c2-1, 0:c1-1), w2(0:c2-1, 0:c2-1, 0:2, 0:2), w3(0:c1-1, 0:c2-1)
  real(8), intent(out) :: out(0:c1-1, 0:h-1, 0:h-1, 0:n-1)
  real(8) :: a(0:c2-1, 0:h-1, 0:h-1, 0:n-1), r(0:c2-1, 0:h-1, 0:h-1, 0:n-1)
  real(8) :: d(0:c2-1, 0:h-1, 0:h-1, 0:n-1), s(0:c2-1, 0:h-1, 0:h-1, 0:n-1)
  real(8) :: e(0:c1-1, 0:h-1, 0:h-1, 0:n-1), mean, var, scale
  integer :: m, i, j, p, q, c, o

  do m = 0, n-1
    do i = 0, h-1
      do j = 0, h-1
        do o = 0, c2-1
          a(o,j,i,m) = 0.0d0
        end do
        do c = 0, c1-1
          do o = 0, c2-1
            a(o,j,i,m) = a(o,j,i,m) + x(c,j,i,m) * w1(o,c)
          end do
        end do
      end do
    end do
  end do
  do i = 0, h-1
    do j = 0, h-1
      do o = 0, c2-1
        mean = 0.0d0
        do m = 0, n-1
          mean = mean + a(o,j,i,m)
        end do
        mean = mean / n
        var = 0.0d0
        do m = 0, n-1
          var = var + (a(o,j,i,m) - mean) * (a(o,j,i,m) - mean)
        end do
        scale = 1.0d0 / sqrt(sqrt(var / n) + 1.0d-5)
        do m = 0, n-1
          r(o,j,i,m) = max((a(o,j,i,m) - mean) * scale, 0.0d0)
        end do
      end do
    end do
  end do
  do m = 0, n-1
    do i = 0, h-1
      do j = 0, h-1
        do o = 0, c2-1
          d(o,j,i,m) = 0.0d0
        end do
        do p = max(0, 1-i), min(2, h-i)
          do q = max(0, 1-j), min(2, h-j)
            do c = 0, c2-1
              do o = 0, c2-1
                d(o,j,i,m) = d(o,j,i,m) + r(c,j+q-1,i+p-1,m) * w2(o,c,q,p)
              end do
            end do
          end do
        end do
      end do
    end do
  end do
  do i = 0, h-1
    do j = 0, h-1
      do o = 0, c2-1
        mean = 0.0d0
        do m = 0, n-1
          mean = mean + d(o,j,i,m)
        end do
        mean = mean / n
        var = 0.0d0
        do m = 0, n-1
          var = var + (d(o,j,i,m) - mean) * (d(o,j,i,m) - mean)
        end do
        scale = 1.0d0 / sqrt(sqrt(var / n) + 1.0d-5)
        do m = 0, n-1
          s(o,j,i,m) = max((d(o,j,i,m) - mean) * scale, 0.0d0)
        end do
      end do
    end do
  end do
  do m = 0, n-1
    do i = 0, h-1
      do j = 0, h-1
        do o = 0, c1-1
          e(o,j,i,m) = 0.0d0
        end do
        do c = 0, c2-1
          do o = 0, c1-1
            e(o,j,i,m) = e(o,j,i,m) + s(c,j,i,m) * w3(o,c)
          end do
        end do
      end do
    end do
  end do
  do i = 0, h-1
    do j = 0, h-1
      do o = 0, c1-1
        mean = 0.0d0
        do m = 0, n-1
          mean = mean + e(o,j,i,m)
        end do
        mean = mean / n
        var = 0.0d0
        do m = 0, n-1
          var = var + (e(o,j,i,m) - mean) * (e(o,j,i,m) - mean)
        end do
        scale = 1.0d0 / sqrt(sqrt(var / n) + 1.0d-5)
        do m = 0, n-1
          out(o,j,i,m) = max((e(o,j,i,m) - mean) * scale + x(o,j,i,m), 0.0d0)
        end do
      end do
    end do
  end do
end subroutine resnet
