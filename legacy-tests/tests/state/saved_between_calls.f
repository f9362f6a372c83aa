      SUBROUTINE ACC(X, Y)
C     keeps a running weight, first call flag, table with DATA
      DOUBLE PRECISION X, Y, W, T(3)
      INTEGER NC
      LOGICAL FIRST
      SAVE W, NC, FIRST
      DATA FIRST /.TRUE./, NC /0/
      DATA T /1.0D0, 2.0D0, 3.0D0/
      IF (FIRST) THEN
        W = 2.0D0
        FIRST = .FALSE.
      END IF
      NC = NC + 1
      W = W*0.5D0 + X
      Y = W*W*T(MOD(NC,3)+1)
      END
      SUBROUTINE HEAD(N, X, Y)
      INTEGER N, I
      DOUBLE PRECISION X(N), Y, Z
      Y = 0.0D0
      DO 10 I = 1, N
        CALL ACC(X(I), Z)
        Y = Y + Z
   10 CONTINUE
      END
