      subroutine head(n, x, f)
      implicit real*8 (a-h,o-z)
      dimension x(n), a(6), b(2,3), c(2), d(3), e(4)
      real*8 q(8)
      common /cc/ p, q, r
      equivalence (a(3), c(1)), (b(1,1), a(1)), (d(1), c(2))
      equivalence (q(3), e(1))
      p = x(1)
      r = x(2)*x(1)
      do 10 i = 1, 8
   10 q(i) = x(mod(i,n)+1)*i
      e(2) = e(1)*e(3)
      do 20 i = 1, 6
   20 a(i) = q(i)*r
      b(2,2) = d(1)*c(1)
      d(2) = d(1) + b(1,1)
      c(2) = sin(c(1)) + d(3)
      call sub
      f = p + q(5)*e(3) + b(1,2)*b(2,2)*a(5) + r*d(3)
      end
      subroutine sub
      implicit real*8 (a-h,o-z)
      common /cc/ p, q(3), w(2), z(4)
      dimension v(2)
      equivalence (q(2), v(1))
      q(1) = q(1)*w(2) + v(2)
      v(1) = v(1)*p + z(4)
      z(4) = z(4)*z(1)
      end
