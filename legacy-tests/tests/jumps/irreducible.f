C     Two loops with two entries each, one inside the other.
      SUBROUTINE F(N, X, Y)
      INTEGER N, I, J
      REAL*8 X(N), Y
      I = 0
      J = 0
      Y = X(1)
      IF (N .GT. 4) GO TO 30
   10 I = I + 1
      Y = Y + X(MOD(I,N)+1)**2
      IF (MOD(I,2) .EQ. 0) GO TO 30
   20 J = J + 1
      Y = Y*COS(X(MOD(J,N)+1))
      IF (J .GT. 2*N) GO TO 50
      IF (MOD(J,3) .EQ. 0) GO TO 10
   30 Y = Y + X(N)*Y/10
      J = J + 1
      IF (MOD(J,4) .NE. 1) GO TO 20
      IF (I .LT. N) GO TO 10
   50 Y = Y/(1 + X(1)**2)
      END
