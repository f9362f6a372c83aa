C     The entries of a procedure share what it keeps: a switch with a value from DATA, and an array.
      SUBROUTINE SET(N, P)
      INTEGER N, I, NOW, COUNT
      REAL*8 P(N), X, Y, KEPT(10), SUM
      SAVE KEPT, NOW, COUNT
      DATA NOW /1/, KEPT /10*0.5D0/
      NOW = NOW + 1
      DO 10 I = 1, MIN(N, 10)
   10 KEPT(I) = KEPT(I) + P(I)*NOW
      RETURN
      ENTRY GET(X, Y)
      SUM = 0
      DO 20 I = 1, 10
   20 SUM = SUM + KEPT(I)**2
      Y = SUM*X
      IF (NOW .EQ. 3) Y = Y*X
      RETURN
      ENTRY CLEAR
      DO 30 I = 1, 10
   30 KEPT(I) = 0.5D0
      NOW = 1
      END

      SUBROUTINE F(N, X, Y)
      INTEGER N
      REAL*8 X(N), Y, Z
      CALL CLEAR
      CALL SET(N, X)
      CALL GET(X(1), Z)
      CALL SET(N, X)
      CALL GET(Z, Y)
      END
