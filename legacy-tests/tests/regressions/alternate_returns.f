      SUBROUTINE TOP(N, X, Y)
      INTEGER N, I, K, M
      DOUBLE PRECISION X(N), Y, A, W(100), F, A1, B1
      COMMON /BLK/ A, W, M
      F(A1, B1) = A1*B1 + SIN(A1)
      K = 0
      A = 0D0
      M = N
      DO 5 I = 1, N
    5 W(I) = X(I)
   10 K = K + 1
      CALL SUB(K, *20, *30)
      Y = F(A, W(K))
      IF (K - N) 10, 40, 40
   20 A = A + W(K)**2
      GO TO (10, 40), MIN(2, K/3 + 1)
   30 A = A*W(K)
      IF (A .GT. 20D0) GO TO 40
      GO TO 10
   40 Y = A*W(1) + F(W(2), A)
      END
      SUBROUTINE SUB(K, *, *)
      INTEGER K, L
      DOUBLE PRECISION A, W(100)
      COMMON /BLK/ A, W, L
      IF (K .GT. L) RETURN
      W(K) = W(K)*(1D0 + 0.1D0*A)
      IF (MOD(K,2) .EQ. 0) RETURN 1
      IF (W(K) .GT. 1D0) RETURN 2
      A = A + SQRT(W(K))
      END
