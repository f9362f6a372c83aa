C     Jumps from outside into an IF, from one arm into another, and back into the range of a loop.
      SUBROUTINE F(N, X, Y)
      INTEGER N, I, L, M
      REAL*8 X(N), Y(N), T
      M = 0
      T = 0
      DO 40 I = 1, N
         L = I
         IF (X(I) .GT. 1.0D0) THEN
            Y(I) = X(I)**2
            IF (MOD(I,2) .EQ. 0) GO TO 10
            Y(I) = Y(I) + T
         ELSE IF (MOD(I,3) .EQ. 0) THEN
            Y(I) = X(I)*3
            GO TO 20
         ELSE
            Y(I) = EXP(-X(I))
   10       Y(I) = Y(I)*X(1)
   20       T = T + Y(I)/2
         END IF
         IF (MOD(I,4) .EQ. 3) GO TO 100
   30    Y(I) = Y(I) + T*X(L)
   40 CONTINUE
      IF (M .GT. N) RETURN
      GO TO 200
  100 L = N + 1 - I
      M = M + 1
      T = T*X(L)
      GO TO 30
  200 SELECT CASE (M)
      CASE (0)
         GO TO 300
      CASE (1)
         Y(1) = Y(1)*X(1)
         GO TO 210
      CASE DEFAULT
         Y(N) = Y(N)*X(N)
  210    Y(1) = Y(1) + Y(N)*X(2)
      END SELECT
      Y(2) = Y(2)*Y(1)
      RETURN
  300 Y(2) = Y(2) + X(2)*T
      END
