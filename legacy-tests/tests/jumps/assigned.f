      SUBROUTINE F(N, X, Y)
      INTEGER N, I, NEXT
      REAL*8 X(N), Y
      ASSIGN 30 TO NEXT
      Y = 0
      I = 1
   10 GO TO NEXT, (30, 50, 70)
   30 IF (X(I) .LT. 0.8D0) GO TO 100
      ASSIGN 50 TO NEXT
      Y = X(I)
   50 IF (X(I) .GT. 1.2D0) ASSIGN 70 TO NEXT
      Y = Y + X(I)**2
      GO TO 100
   70 Y = Y + SQRT(X(I))*Y
      IF (Y .GT. 20) ASSIGN 30 TO NEXT
  100 I = I + 1
      IF (I .LE. N) GO TO 10
      ASSIGN 120 TO NEXT
      IF (N .GT. 5) ASSIGN 130 TO NEXT
      GO TO NEXT
  120 Y = Y*2
      RETURN
  130 Y = Y*X(1)
      END
