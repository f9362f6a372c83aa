C     Labels before, between and after the arguments; an entry with labels of its own, and one without.
      SUBROUTINE F(*, N, X, *, Y, *)
      INTEGER N, I
      DOUBLE PRECISION X(N), Y, S
      S = 0D0
      DO 10 I = 1, N
        S = S + X(I)**2
        X(I) = X(I)*S
        IF (S .GT. 3D0) GO TO 20
   10 CONTINUE
      Y = S
      IF (N .EQ. 1) RETURN
      IF (N .EQ. 2) RETURN 7
      RETURN 1
   20 Y = SIN(S)*X(I)
      RETURN MIN(I, 3)
      ENTRY G(X, Y, N, *)
      Y = X(1)*EXP(X(N))
      IF (Y .GT. 1D0) RETURN 1
      Y = Y*X(N)
      RETURN
      ENTRY H(X, Y, N)
      Y = X(1)*COS(X(N))
      IF (Y .GT. 0D0) RETURN 1
      Y = Y*X(1)
      END
      SUBROUTINE TOP(N, X, Y)
      INTEGER N
      DOUBLE PRECISION X(N), Y, Z
      CALL F(*30, N, X, *40, Z, *50)
      Y = Z**2
      RETURN
   30 Y = 2*Z
   40 Y = Z*X(1)
      CALL H(X, Z, N)
      Y = Y*Z
      RETURN
   50 CALL G(X, Y, N, *60)
      Y = Y*Z
      RETURN
   60 Y = Y + Z
      END
