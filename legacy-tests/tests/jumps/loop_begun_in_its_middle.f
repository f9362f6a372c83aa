      SUBROUTINE F(N, X, Y)
      INTEGER N, K
      REAL*8 X(N), Y
      K = 0
      Y = 1.0D0
      GO TO 20
   10 Y = Y*SIN(X(K)) + X(K)
      IF (Y .GT. 3.0D0) GO TO 40
   20 K = K + 1
      IF (K .LE. N) GO TO 10
      Y = Y*Y
      RETURN
   40 Y = SQRT(Y) - X(1)
      END
