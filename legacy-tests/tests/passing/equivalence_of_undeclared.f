C     P and Q lie on one place, and so do F and the second member of COMMON; no declaration names them.
      SUBROUTINE HEAD(N, X, A, Y)
      INTEGER N
      REAL X(N), Y(N), A
      COMMON /BOX/ T, E(2)
      EQUIVALENCE (E(1), F), (P, Q)
      T = A*2
      F = A*A
      DO 10 I = 1, N
        P = X(I)*T
        Y(I) = Q*E(1)
   10   CALL NEXT
      Y(1) = Y(1) + F
      END
      SUBROUTINE NEXT
      COMMON /BOX/ S(2), G
      S(2) = S(2)*S(1)*0.7
      END
