      SUBROUTINE JUMPS(N, X, Y)
      INTEGER N, I, K, NEXT
      REAL X(N), Y
      CHARACTER*8 TEXT
      SAVE K
      ASSIGN 20 TO NEXT
      Y = 0
      IF (N .GT. 3) GO TO 30
      DO 40 I = 1, N
         IF (X(I) .GT. 1) THEN
            Y = Y + X(I)
            IF (Y .GT. 2) GO TO 20
         ELSE
   20       Y = Y*X(I)
         END IF
   30    READ (TEXT, 100, ERR=50, END=60) K
         TEXT(1:2) = 'AB'
         IF (X(I)) 40, 50, 60
   40 CONTINUE
      GO TO NEXT, (20, 50)
   50 GO TO (60, 20, 70), K
      ENTRY AGAIN(X, Y)
   60 K = K + 1
      IF (K .LT. 5) GO TO 60
  100 FORMAT (I8)
   70 END
