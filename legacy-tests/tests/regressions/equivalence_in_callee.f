      SUBROUTINE HEAD(X, Y)
      DOUBLE PRECISION X(8), Y, S
      INTEGER I
      S = 0D0
      DO 10 I = 1, 7
   10 CALL INNER(X(I), X(I+1), S)
      Y = S*S
      END
      SUBROUTINE INNER(A, B, S)
      DOUBLE PRECISION A, B, S, W(4), P, Q, R
      EQUIVALENCE (W(1), P), (W(3), Q), (R, W(4))
      P = SIN(A)*B
      W(2) = P*P
      Q = W(2)*A + S
      R = EXP(-Q)
      S = S + W(3)*W(4)*W(1)
      END
