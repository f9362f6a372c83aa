C     A loop with a real variable whose range is left and entered again, and a WHILE that is entered.
      SUBROUTINE F(N, X, Y)
      INTEGER N, K
      REAL*8 X(N), Y, T
      Y = 0
      K = 0
      DO 20 T = 0.0D0, 1.0D0, 0.25D0
         Y = Y + T*X(1)
         IF (K .LT. N) GO TO 50
   10    Y = Y*0.9D0
   20 CONTINUE
      IF (Y .GT. 1.0D0) GO TO 40
      K = 0
      DO WHILE (K .LT. N)
         Y = Y + X(K+1)**2
   40    K = K + 1
         Y = Y + SIN(Y)*X(1)
      END DO
      RETURN
   50 K = K + 1
      Y = Y + X(K)*T
      GO TO 10
      END
