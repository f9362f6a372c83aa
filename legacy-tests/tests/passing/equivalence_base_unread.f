      subroutine head(x, f)
      implicit none
      integer i
      double precision x(2), f, b(2), br(2)
      equivalence (b(1), br(1))
      f = 0
      do 10 i = 1, 2
        br(1) = x(i)**2
        br(2) = x(i)*f
        f = f + b(1)*b(2) + x(i)
 10   continue
      end
