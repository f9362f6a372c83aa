! Fourier transform of n = r^k numbers by Stockham's algorithm (NPBench stockham_fft): in each of k stages
! transforms of r numbers, turned, and put where the next stage wants them, so that nothing is left to
! be sorted.
!
! Linear: the adjoint is the same with conjugate factors.  True tape: 0 bytes.
subroutine stockham_fft(n, r, k, x, y)
  implicit none
  integer, intent(in) :: n, r, k
  complex(8), intent(in) :: x(0:n-1)
  complex(8), intent(out) :: y(0:n-1)
  complex(8) :: z(0:n-1)
  real(8) :: angle
  integer :: stage, stride, m, p, q, s, t

  do q = 0, n-1
    y(q) = x(q)
  end do
  do stage = 1, k
    stride = 1
    do s = 2, stage
      stride = stride * r
    end do
    m = n / (stride * r)
    do p = 0, m-1
      do s = 0, r-1
        do q = 0, stride-1
          z(q + stride * (r * p + s)) = 0.0d0
        end do
        do t = 0, r-1
          angle = -6.283185307179586d0 * s * (p + 1.0d0 * m * t) / (m * r)
          do q = 0, stride-1
            z(q + stride * (r * p + s)) = z(q + stride * (r * p + s)) &
              + cmplx(cos(angle), sin(angle), 8) * y(q + stride * (p + m * t))
          end do
        end do
      end do
    end do
    do q = 0, n-1
      y(q) = z(q)
    end do
  end do
end subroutine stockham_fft
