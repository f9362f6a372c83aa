C     The state is in a COMMON block; steps are a procedure; the loop starts where the last ended.
      subroutine march(it0, it1, x, y)
      integer it0, it1, it
      double precision x(3), y
      double precision q, s
      common /state/ q(3), s
      do 10 i = 1, 3
        q(i) = x(i)
   10 continue
      s = 0d0
C$AD BINOMIAL-CKP it1+1 3 1
      do 20 it = it0, it1, 2
        call step(it)
   20 continue
      y = s + q(1)*q(2)
      end

      subroutine step(it)
      integer it
      double precision q, s
      common /state/ q(3), s
      double precision t
      t = q(1)*q(2)
      q(1) = q(1) + 0.1d0*(q(2) - q(3))
      q(2) = q(2) + 0.05d0*t
      q(3) = q(3)*cos(0.1d0*q(1)) + 0.01d0*it
      s = s + q(3)**2
      end
