! Densities and temperatures of MSISE-00, and each one's gradient: height, output, value, six derivatives.
program gtd7_table
  use msise00_python, only: gtd7_b
  implicit none
  real, parameter :: heights(6) = [30.0, 70.0, 95.0, 150.0, 250.0, 500.0]
  real :: alt, glat, glong, f107a, f107, ap(7), d(9), t(2)
  real :: alt_b, glat_b, glong_b, f107a_b, f107_b, ap_b(7), d_b(9), t_b(2)
  integer :: h, k
  do h = 1, size(heights)
    do k = 1, 11
      alt = heights(h); glat = 55.0; glong = -65.0; f107a = 155.0; f107 = 152.0; ap = 5.0
      alt_b = 0; glat_b = 0; glong_b = 0; f107a_b = 0; f107_b = 0; ap_b = 0; d_b = 0; t_b = 0
      if (k <= 9) then
        d_b(k) = 1
      else
        t_b(k-9) = 1
      end if
      d = 0; t = 0
      call gtd7_b(172, 29000.0, alt, alt_b, glat, glat_b, glong, glong_b, 16.0, f107a, f107a_b, &
                  f107, f107_b, ap, ap_b, 48, d, d_b, t, t_b)
      if (k <= 9) then
        print '(i4, i3, 7es24.15e3)', nint(alt), k, d(k), alt_b, glat_b, glong_b, f107a_b, f107_b, ap_b(1)
      else
        print '(i4, i3, 7es24.15e3)', nint(alt), k, t(k-9), alt_b, glat_b, glong_b, f107a_b, f107_b, ap_b(1)
      end if
    end do
  end do
end program
