C     Three ways in, with other arguments each; the last one falls through nothing and jumps back.
      SUBROUTINE SCALE(N, X, Y)
      INTEGER N, I
      REAL*8 X(N), Y(N), P, S
      S = 1.0D0
   10 DO 20 I = 1, N
         Y(I) = S*X(I)**2
   20 CONTINUE
      RETURN
      ENTRY POWERS(N, X, P, Y)
      S = P*P
      IF (P .GT. 0.9D0) GO TO 10
      DO 30 I = 1, N
         Y(I) = S + SIN(P*X(I))
   30 CONTINUE
      ENTRY TIMES(P, N, Y)
      DO 40 I = 1, N
   40 Y(I) = Y(I)*P
      END

      SUBROUTINE F(N, X, Y)
      INTEGER N
      REAL*8 X(N), Y(N), W(100)
      CALL SCALE(N, X, Y)
      CALL POWERS(N, Y, X(1), W)
      CALL TIMES(X(2), N, W)
      CALL POWERS(N, W, X(1)*0.1D0, Y)
      END
