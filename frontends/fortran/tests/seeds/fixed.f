C     a comment
      SUBROUTINE SOLVE(N, A, B, IERR)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      DIMENSION A(N, *), B(0:N)
      COMMON /STATE/ TOL, ITER, W(10)
      SAVE COUNT
      DATA COUNT /0.0D0/
      F(X, Y) = X*Y + 1.D0
      DO 20 I = 1, N
        DO 20 J = 1, N
          A(I,J) = A(I,J)*TOL
     &           + F(B(I), B(J))
   20 CONTINUE
      IF (N) 30, 40, 50
   30 IERR = -1
      RETURN
   40 IERR = 0
      GO TO 60
   50 DO10I=1.10
      COUNT = COUNT + 1
      IERR = 1
   60 IF (COUNT .GT. 1.0D1 .AND. .NOT. N .EQ. 3) GOTO 70
      X = DMAX1(A(1,1), B(0), DBLE(N))
      CALL OTHER(X, A(1,2), N)
   70 CONTINUE
      WRITE (6, 100) X, 'it''s'
  100 FORMAT (1X, 5HVALUE, F10.3)
      END
