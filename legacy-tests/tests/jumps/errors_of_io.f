C     Jumps on errors and at the end of internal files, with and without IOSTAT.
      SUBROUTINE F(N, X, Y)
      INTEGER N, I, K, IOS
      REAL*8 X(N), Y
      CHARACTER*4 TEXT
      CHARACTER*2 SHORT(2)
      Y = 0
      DO 40 I = 1, N
         WRITE (TEXT, 100, ERR=90) I
         IF (MOD(I, 3) .EQ. 0) TEXT = 'x'
         READ (TEXT, FMT=100, ERR=20) K
         Y = Y + K*X(I)**2
         GO TO 40
   20    Y = Y*X(I)
         READ (TEXT, 100, IOSTAT=IOS, END=90) K
         IF (IOS .GT. 0) Y = Y + SIN(X(I))
   40 CONTINUE
      SHORT(1) = ' 1'
      SHORT(2) = ' 2'
      K = 0
      DO 60 I = 1, 9
   60 READ (SHORT(1), '(I2/I2)', END=70, ERR=90) K, K
      Y = Y*2
   70 Y = Y + K*X(1)
      RETURN
   90 Y = 0
  100 FORMAT (I4)
      END
