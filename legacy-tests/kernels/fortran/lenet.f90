! LeNet-5: two convolutions with ReLU and pooling by the largest of four, three dense layers (NPBench
! lenet, in double precision; its reshape is an array of four dimensions here).
! Index order transposed: the first index here is NPBench's last.
!
! Images have h = 2 p1 + 4 rows and columns, and p1 = 2 p2 + 4.  Activations are local arrays that
! are still there: the masks follow from them, and so does which of the four is the largest.  True tape:
! 0 bytes.
subroutine lenet(n, h, p1, p2, x, w1, b1, w2, b2, w3, b3, w4, b4, w5, b5, out)
  implicit none
  integer, intent(in) :: n, h, p1, p2
  real(8), intent(in) :: x(0:h-1, 0:h-1, 0:n-1), w1(0:5, 0:4, 0:4), b1(0:5)
  real(8), intent(in) :: w2(0:15, 0:5, 0:4, 0:4), b2(0:15)
  real(8), intent(in) :: w3(0:119, 0:15, 0:p2-1, 0:p2-1), b3(0:119)
  real(8), intent(in) :: w4(0:83, 0:119), b4(0:83), w5(0:9, 0:83), b5(0:9)
  real(8), intent(out) :: out(0:9, 0:n-1)
  real(8) :: a1(0:5, 0:2*p1-1, 0:2*p1-1, 0:n-1), q1(0:5, 0:p1-1, 0:p1-1, 0:n-1)
  real(8) :: a2(0:15, 0:2*p2-1, 0:2*p2-1, 0:n-1), q2(0:15, 0:p2-1, 0:p2-1, 0:n-1)
  real(8) :: f1(0:119, 0:n-1), f2(0:83, 0:n-1)
  integer :: m, i, j, a, b, c, o

  do m = 0, n-1
    do i = 0, 2*p1-1
      do j = 0, 2*p1-1
        do o = 0, 5
          a1(o,j,i,m) = b1(o)
        end do
        do a = 0, 4
          do b = 0, 4
            do o = 0, 5
              a1(o,j,i,m) = a1(o,j,i,m) + x(j+b,i+a,m) * w1(o,b,a)
            end do
          end do
        end do
        do o = 0, 5
          a1(o,j,i,m) = max(a1(o,j,i,m), 0.0d0)
        end do
      end do
    end do
    do i = 0, p1-1
      do j = 0, p1-1
        do o = 0, 5
          q1(o,j,i,m) = max(max(a1(o,2*j,2*i,m), a1(o,2*j+1,2*i,m)), &
                            max(a1(o,2*j,2*i+1,m), a1(o,2*j+1,2*i+1,m)))
        end do
      end do
    end do
    do i = 0, 2*p2-1
      do j = 0, 2*p2-1
        do o = 0, 15
          a2(o,j,i,m) = b2(o)
        end do
        do a = 0, 4
          do b = 0, 4
            do c = 0, 5
              do o = 0, 15
                a2(o,j,i,m) = a2(o,j,i,m) + q1(c,j+b,i+a,m) * w2(o,c,b,a)
              end do
            end do
          end do
        end do
        do o = 0, 15
          a2(o,j,i,m) = max(a2(o,j,i,m), 0.0d0)
        end do
      end do
    end do
    do i = 0, p2-1
      do j = 0, p2-1
        do o = 0, 15
          q2(o,j,i,m) = max(max(a2(o,2*j,2*i,m), a2(o,2*j+1,2*i,m)), &
                            max(a2(o,2*j,2*i+1,m), a2(o,2*j+1,2*i+1,m)))
        end do
      end do
    end do
    do o = 0, 119
      f1(o,m) = b3(o)
    end do
    do i = 0, p2-1
      do j = 0, p2-1
        do c = 0, 15
          do o = 0, 119
            f1(o,m) = f1(o,m) + q2(c,j,i,m) * w3(o,c,j,i)
          end do
        end do
      end do
    end do
    do o = 0, 119
      f1(o,m) = max(f1(o,m), 0.0d0)
    end do
    do o = 0, 83
      f2(o,m) = b4(o)
    end do
    do c = 0, 119
      do o = 0, 83
        f2(o,m) = f2(o,m) + f1(c,m) * w4(o,c)
      end do
    end do
    do o = 0, 83
      f2(o,m) = max(f2(o,m), 0.0d0)
    end do
    do o = 0, 9
      out(o,m) = b5(o)
    end do
    do c = 0, 83
      do o = 0, 9
        out(o,m) = out(o,m) + f2(c,m) * w5(o,c)
      end do
    end do
  end do
end subroutine lenet
