c     old style: work array pieces, (1) dimensions, integer and real work mixed by passing
      subroutine head(n, x, f, w, lw)
      integer n, lw
      double precision x(1), f, w(1)
      integer i1, i2, i3
      i1 = 1
      i2 = i1 + n
      i3 = i2 + n*n
      call fill(n, x, w(i1), w(i2))
      call prod(n, w(i2), n, w(i1), w(i3))
      call fill(n, w(i3), w(i1), w(i2))
      f = w(i1)
      do 10 i = 1, n
        f = f + w(i3+i-1)*w(i1+i-1)
 10   continue
      end
      subroutine fill(n, x, v, a)
      integer n
      double precision x(1), v(n), a(n,1)
      do 20 j = 1, n
        v(j) = x(j)**2
        do 20 i = 1, n
          a(i,j) = x(i)*v(j) + dble(i-j)
 20   continue
      end
      subroutine prod(n, a, lda, x, y)
      integer n, lda
      double precision a(lda,1), x(1), y(1)
      do 30 i = 1, n
        y(i) = 0d0
        do 30 j = 1, n
          y(i) = y(i) + a(i,j)*x(j)
 30   continue
      end
