C     Vectors of unknown length: parts of one work array, columns of a matrix, strides.
      SUBROUTINE HEAD(N, X, Y, LWORK, WORK)
      INTEGER N, LWORK, I, IA, IB, IC
      DOUBLE PRECISION X(N), Y(N), WORK(LWORK)
      IA = 1
      IB = IA + N
      IC = IB + 2*N
      DO 10 I = 1, N
         WORK(I) = X(I)*X(I)
         WORK(IB+2*(I-1)) = 1.0D0 + 0.1D0*X(I)
         WORK(IB+2*I-1) = 0.5D0
         WORK(IC+I-1) = SIN(X(I))
   10 CONTINUE
      DO 20 I = 1, 3
         CALL SCALE(N, X(1), WORK(IB), 2)
         CALL THREE(N, WORK(IA), WORK(IB), WORK(IC))
         IF (I .EQ. 2) IB = IB + 1
   20 CONTINUE
      DO 30 I = 1, N
         Y(I) = WORK(I)*WORK(IB+2*(I-1)) + WORK(IC+I-1)
   30 CONTINUE
      END
      SUBROUTINE THREE(N, A, B, C)
      INTEGER N, I
      DOUBLE PRECISION A(*), B(*), C(*), DOTS
      CALL SCALE(N, C(2), A, 1)
      CALL SCALE(N-1, A(1), C(2), 1)
      DO 10 I = 1, N
         B(2*I-1) = B(2*I-1)*A(I)
   10 CONTINUE
      C(1) = C(1) + 0.1D0*DOTS(N, A, 1, B, 2)
      CALL SCALE(N, C(1), B, -2)
      END
      SUBROUTINE SCALE(N, A, X, INCX)
      INTEGER N, INCX, I, IX
      DOUBLE PRECISION A, X(*)
      IX = 1
      IF (INCX.LT.0) IX = (-N+1)*INCX + 1
      DO 10 I = 1, N
         X(IX) = COS(A)*X(IX) + 0.01D0*X(IX)*X(IX)
         IX = IX + INCX
   10 CONTINUE
      END
      DOUBLE PRECISION FUNCTION DOTS(N, X, INCX, Y, INCY)
      INTEGER N, INCX, INCY, I, IX, IY
      DOUBLE PRECISION X(*), Y(*)
      DOTS = 0.0D0
      IX = 1
      IY = 1
      DO 10 I = 1, N
         DOTS = DOTS + X(IX)*Y(IY)
         IX = IX + INCX
         IY = IY + INCY
   10 CONTINUE
      END
      SUBROUTINE COLS(N, LDA, A)
C     Rows and columns of a matrix as vectors.
      INTEGER N, LDA, J
      DOUBLE PRECISION A(LDA,N)
      DO 10 J = 1, N - 1
         CALL STEP(N, J, A, LDA)
   10 CONTINUE
      END
      SUBROUTINE STEP(N, J, A, LDA)
      INTEGER N, J, LDA
      DOUBLE PRECISION A(LDA,*)
      CALL SCALE(N, A(J,J+1), A(1,J), 1)
      CALL SCALE(N, A(J,J), A(J+1,1), LDA)
      CALL SWAPS(N, A(J,1), LDA, A(J+1,1), LDA)
      END
      SUBROUTINE SWAPS(N, X, INCX, Y, INCY)
      INTEGER N, INCX, INCY, I, IX, IY
      DOUBLE PRECISION X(*), Y(*), T
      IX = 1
      IY = 1
      DO 10 I = 1, N
         T = X(IX)
         X(IX) = Y(IY)
         Y(IY) = T*Y(IY)
         IX = IX + INCX
         IY = IY + INCY
   10 CONTINUE
      END
      SUBROUTINE OLD(N, X, Y)
      INTEGER N, I
      DOUBLE PRECISION X(1), Y(1), W(100)
      DO 10 I = 1, N
         W(I) = X(I)*X(I)
         W(N+I) = X(I)
   10 CONTINUE
      CALL OLDMID(N, W, W(N+1))
      DO 20 I = 1, N
         Y(I) = W(I) + W(N+I)
   20 CONTINUE
      END
      SUBROUTINE OLDMID(N, W, V)
      INTEGER N
      DOUBLE PRECISION W(1), V(1)
      CALL SCALE(N, V(1), W, 1)
      CALL SCALE(N, W(N), V, 1)
      END
