C     Unblocked Cholesky factorisation in place: rows and columns of one matrix go to one call.
      SUBROUTINE HEAD(N, A, D)
      INTEGER N
      DOUBLE PRECISION A(N,N), D
      INTEGER I, J
      DO 10 J = 1, N
        DO 5 I = 1, N
          A(I,J) = 0.1D0*A(I,J)
    5   CONTINUE
        A(J,J) = A(J,J) + N
   10 CONTINUE
      CALL POTF2(N, A, N)
      D = 1
      DO 20 J = 1, N
        D = D*A(J,J)
   20 CONTINUE
      END
      SUBROUTINE POTF2(N, A, LDA)
      INTEGER N, LDA, J
      DOUBLE PRECISION A(LDA,*), AJJ, DOTP
      EXTERNAL DOTP
      DO 20 J = 1, N
        AJJ = A(J,J) - DOTP(J-1, A(J,1), LDA, A(J,1), LDA)
        AJJ = SQRT(AJJ)
        A(J,J) = AJJ
        IF (J.LT.N) THEN
          CALL GEMV(N-J, J-1, -1D0, A(J+1,1), LDA, A(J,1), LDA,
     &              1D0, A(J+1,J), 1)
          CALL SCALE(N-J, 1D0/AJJ, A(J+1,J), 1)
        END IF
   20 CONTINUE
      END
      DOUBLE PRECISION FUNCTION DOTP(N, X, INCX, Y, INCY)
      INTEGER N, INCX, INCY, I
      DOUBLE PRECISION X(*), Y(*)
      DOTP = 0
      DO 10 I = 1, N
   10   DOTP = DOTP + X(1+(I-1)*INCX)*Y(1+(I-1)*INCY)
      END
      SUBROUTINE GEMV(M, N, ALPHA, A, LDA, X, INCX, BETA, Y, INCY)
      INTEGER M, N, LDA, INCX, INCY, I, J
      DOUBLE PRECISION ALPHA, BETA, A(LDA,*), X(*), Y(*)
      DO 10 I = 1, M
   10   Y(1+(I-1)*INCY) = BETA*Y(1+(I-1)*INCY)
      DO 20 J = 1, N
        DO 20 I = 1, M
   20     Y(1+(I-1)*INCY) = Y(1+(I-1)*INCY)
     &      + ALPHA*X(1+(J-1)*INCX)*A(I,J)
      END
      SUBROUTINE SCALE(N, ALPHA, X, INCX)
      INTEGER N, INCX, I
      DOUBLE PRECISION ALPHA, X(*)
      DO 10 I = 1, N
   10   X(1+(I-1)*INCX) = ALPHA*X(1+(I-1)*INCX)
      END
