! Moments of a resolvent along a contour: a dense complex solve at each point (NPBench contour_integral).
! Index order transposed: the first index here is the column.
!
!   t = z h_0 + h_1 + h_2 / z,  t x = y,  x = -x where |z| < 1;  p0 += x,  p1 += z x.
!
! Points are independent: each is factored again just before it is reversed, nothing is kept from point
! to point.  The solve is Gauss's elimination without pivoting.
subroutine contour_integral(nr, nm, np, pts, h, y, p0, p1)
  implicit none
  integer, intent(in) :: nr, nm, np
  complex(8), intent(in) :: pts(0:np-1), h(0:nr-1, 0:nr-1, 0:2), y(0:nm-1, 0:nr-1)
  complex(8), intent(out) :: p0(0:nm-1, 0:nr-1), p1(0:nm-1, 0:nr-1)
  complex(8) :: t(0:nr-1, 0:nr-1), x(0:nm-1, 0:nr-1)
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
        x(j,i) = y(j,i)
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
          x(j,i) = x(j,i) - t(k,i) * x(j,k)
        end do
      end do
    end do
    do i = nr-1, 0, -1
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
          x(j,i) = -x(j,i)
        end do
      end do
    end if
    do i = 0, nr-1
      do j = 0, nm-1
        p0(j,i) = p0(j,i) + x(j,i)
        p1(j,i) = p1(j,i) + z * x(j,i)
      end do
    end do
  end do
end subroutine contour_integral
