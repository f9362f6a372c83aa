! Moments of a resolvent along a contour: a dense complex solve at each point (NPBench contour_integral).
! Index order transposed: the first index here is the column.
!
!   t = z h_0 + h_1 + h_2 / z,  t x = y,  s = -1 where |z| < 1, else 1;  p0 += s x,  p1 += s z x.
!
! Points are independent and each is reversed as soon as it has run: its factors and its solution are
! still there.  The solve is Gauss's elimination without pivoting.  True tape: 0 bytes.
subroutine contour_integral(nr, nm, np, pts, h, y, p0, p1)
  implicit none
  integer, intent(in) :: nr, nm, np
  complex(8), intent(in) :: pts(0:np-1), h(0:nr-1, 0:nr-1, 0:2), y(0:nm-1, 0:nr-1)
  complex(8), intent(out) :: p0(0:nm-1, 0:nr-1), p1(0:nm-1, 0:nr-1)
  complex(8) :: t(0:nr-1, 0:nr-1), w(0:nm-1, 0:nr-1), x(0:nm-1, 0:nr-1)
  complex(8) :: z
  integer :: e, i, j, k

  do i = 0, nr-1
    do j = 0, nm-1
      p0(j,i) = 0.0d0
      p1(j,i) = 0.0d0
    end do
  end do
  do e = 0, np-1
    z = pts(e)
    do i = 0, nr-1
      do j = 0, nr-1
        t(j,i) = z * h(j,i,0) + h(j,i,1) + h(j,i,2) / z
      end do
      do j = 0, nm-1
        w(j,i) = y(j,i)
      end do
    end do
    do i = 0, nr-1
      do j = 0, i-1
        do k = 0, j-1
          t(j,i) = t(j,i) - t(k,i) * t(j,k)
        end do
        t(j,i) = t(j,i) / t(j,j)
      end do
      do j = i, nr-1
        do k = 0, i-1
          t(j,i) = t(j,i) - t(k,i) * t(j,k)
        end do
      end do
    end do
    do i = 0, nr-1
      do k = 0, i-1
        do j = 0, nm-1
          w(j,i) = w(j,i) - t(k,i) * w(j,k)
        end do
      end do
    end do
    do i = nr-1, 0, -1
      do j = 0, nm-1
        x(j,i) = w(j,i)
      end do
      do k = i+1, nr-1
        do j = 0, nm-1
          x(j,i) = x(j,i) - t(k,i) * x(j,k)
        end do
      end do
      do j = 0, nm-1
        x(j,i) = x(j,i) / t(i,i)
      end do
    end do
    if (abs(z) < 1.0d0) then
      do i = 0, nr-1
        do j = 0, nm-1
          p0(j,i) = p0(j,i) - x(j,i)
          p1(j,i) = p1(j,i) - z * x(j,i)
        end do
      end do
    else
      do i = 0, nr-1
        do j = 0, nm-1
          p0(j,i) = p0(j,i) + x(j,i)
          p1(j,i) = p1(j,i) + z * x(j,i)
        end do
      end do
    end if
  end do
end subroutine contour_integral
