      subroutine head(n, z, f)
      implicit none
      integer n, i
      double complex z(n), a, b, cc(3)
      double precision f, ar(2), br(2)
      equivalence (a, ar(1)), (b, br(1))
      common /cb/ cc
      a = z(1)
      f = ar(1)*ar(2)
      do 10 i = 1, 3
        cc(i) = z(i)*dcmplx(f, dble(i))
        br(1) = dble(cc(i))**2
        br(2) = dimag(cc(i))*ar(1)
        a = b*cc(i) + a
        f = f + cdabs(a) + ar(2)
 10   continue
      call sub(f)
      end
      subroutine sub(f)
      double complex c1, c2(2)
      double precision f
      common /cb/ c1, c2
      c2(1) = c2(1)*dconjg(c1)
      f = f + dreal(c2(1)*c2(2))*1e-1 + dimag(cdexp(c1*(0.1d0,0.2d0)))
      end
