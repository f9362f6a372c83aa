      SUBROUTINE F(N, X, Y)
      INTEGER N, I, J
      REAL*8 X(N), Y, S
      S = 0
      DO 60 I = 1, N
      DO 60 J = 1, I
      IF (X(I) - X(J)) 10, 20, 30
   10 S = S + X(I)*X(J)
      GO TO (60, 40, 50), MOD(I + J, 4)
      GO TO 30
   20 IF (I - J) 30, 60, 30
   30 S = S - X(J)**2
      IF (S) 40, 50, 50
   40 S = S*0.5D0
      GO TO 60
   50 S = S + X(I)
   60 CONTINUE
      Y = S
      IF (N - 3) 70, 80, 90
   70 Y = Y*X(1)
   80 Y = Y + X(N)
      IF (Y .LT. -1.0D3) GO TO 70
      GO TO 99
   90 Y = Y*Y
      IF (Y .LT. 0.1D0) GO TO 80
   99 END
