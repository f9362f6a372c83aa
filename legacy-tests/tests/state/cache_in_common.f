C     A table in COMMON that is computed where its key changes; the flag and the key have values from
C     BLOCK DATA, in another layout.
      SUBROUTINE TABLE(X, N, Y)
      INTEGER N, I, NCALL
      DOUBLE PRECISION X, Y(N), XL, T, SCALE
      COMMON /CACHE/ XL, T(4), NCALL, SCALE
      IF (XL .NE. X) THEN
        DO 10 I = 1, 4
          T(I) = (X*I + X**2)*SCALE
   10   CONTINUE
        XL = X
      END IF
      NCALL = NCALL + 1
      DO 20 I = 1, N
        Y(I) = T(MOD(I, 4) + 1)*NCALL
   20 CONTINUE
      END
      BLOCK DATA
      DOUBLE PRECISION A(5), S
      INTEGER K
      COMMON /CACHE/ A, K, S
      DATA A /-999.D0, 4*0.D0/, K /2/, S /1.5D0/
      END
