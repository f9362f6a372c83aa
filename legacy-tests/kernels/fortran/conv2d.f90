! Convolution of images with a bias, without padding (NPBench conv2d, in double precision).
! Index order transposed: the first index here is the channel, NPBench's last.
!
! Linear in the images and in the weights, which both are inputs.  True tape: 0 bytes.
subroutine conv2d(n, h, ci, co, k, x, w, b, out)
  implicit none
  integer, intent(in) :: n, h, ci, co, k
  real(8), intent(in) :: x(0:ci-1, 0:h-1, 0:h-1, 0:n-1), w(0:co-1, 0:ci-1, 0:k-1, 0:k-1), b(0:co-1)
  real(8), intent(out) :: out(0:co-1, 0:h-k, 0:h-k, 0:n-1)
  integer :: m, i, j, p, q, c, o

  do m = 0, n-1
    do i = 0, h-k
      do j = 0, h-k
        do o = 0, co-1
          out(o,j,i,m) = b(o)
        end do
        do p = 0, k-1
          do q = 0, k-1
            do c = 0, ci-1
              do o = 0, co-1
                out(o,j,i,m) = out(o,j,i,m) + x(c,j+q,i+p,m) * w(o,c,q,p)
              end do
            end do
          end do
        end do
      end do
    end do
  end do
end subroutine conv2d
