C     Products of two rows of one matrix, which are not in the columns where they start: the callee reads
C     both of them.
      SUBROUTINE HEAD(N, X, F)
      INTEGER N, I, J
      DOUBLE PRECISION X(N,N), F
      F = 0
      DO 20 J = 1, N
        DO 10 I = 1, J
          CALL PRODUCT(N, X(I,1), N, X(J,1), N, F)
   10   CONTINUE
        CALL PRODUCT(N-1, X(J,1), N, X(J,2), N, F)
   20 CONTINUE
      END
      SUBROUTINE PRODUCT(N, A, LDA, B, LDB, S)
      INTEGER N, LDA, LDB, I
      DOUBLE PRECISION A(*), B(*), S
      DO 10 I = 1, N
        S = S + A(1+(I-1)*LDA)*B(1+(I-1)*LDB)*B(1+(I-1)*LDB)
   10 CONTINUE
      END
