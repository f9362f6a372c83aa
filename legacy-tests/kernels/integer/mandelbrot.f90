! How many iterations z <- z^2 + c stay bounded, on a grid of c (NPBench mandelbrot).
subroutine mandelbrot(n, most, xmin, xmax, count)
  implicit none
  integer, intent(in) :: n, most
  real(8), intent(in) :: xmin, xmax
  integer, intent(out) :: count(n,n)
  complex(8) :: c, z
  integer :: i, j, t

  do i = 1, n
    do j = 1, n
      c = cmplx(xmin + (xmax - xmin) * j / n, xmin + (xmax - xmin) * i / n, 8)
      z = 0.0d0
      count(j,i) = 0
      do t = 1, most
        if (abs(z) < 2.0d0) then
          z = z * z + c
          count(j,i) = t
        end if
      end do
    end do
  end do
end subroutine mandelbrot
