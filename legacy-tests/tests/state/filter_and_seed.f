C     First-call flag by DATA, a counter, a PRNG seed in COMMON, an accumulating filter in SAVE.
      SUBROUTINE HEAD(N, X, Y)
      INTEGER N, I
      DOUBLE PRECISION X(N), Y, Z, RAN1
      COMMON /SEED/ ISEED
      ISEED = 4711
      Y = 0
      DO 10 I = 1, N
        CALL FILT(X(I)*RAN1(), Z)
        Y = Y + Z*Z
   10 CONTINUE
      END
      DOUBLE PRECISION FUNCTION RAN1()
      COMMON /SEED/ ISEED
      ISEED = MOD(ISEED*171, 30269)
      RAN1 = ABS(ISEED)/30269D0
      END
      SUBROUTINE FILT(X, Z)
      DOUBLE PRECISION X, Z, S(2), G
      INTEGER K
      LOGICAL FIRST
      SAVE S, FIRST, K
      DATA FIRST /.TRUE./, K /0/, G /0.25D0/
      IF (FIRST) THEN
        S(1) = X
        S(2) = 0
        FIRST = .FALSE.
      END IF
      K = K + 1
      S(MOD(K,2)+1) = S(MOD(K,2)+1) + G*(X - S(2-MOD(K,2)))
      Z = S(1)*S(2) + K*X
      END
