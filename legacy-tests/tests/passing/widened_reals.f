C     Reals without a kind, and what the language makes of them.
      SUBROUTINE WIDE(N, X, A, Z, Y, W)
      INTEGER N, I
      REAL X(N), Y(N), A
      REAL*4 S
      COMPLEX Z, W
      DOUBLE PRECISION D
      COMMON /MIX/ T, E(2)
      REAL T, E
      EQUIVALENCE (E(1), F)
      INTRINSIC SIN
      EXTERNAL TWICE
      T = 1.1
      D = DBLE(A)*1.5D0
      F = 0.1*SNGL(D)
      S = X(1)*1.0E-1
      DO 10 I = 1, N
        Y(I) = X(I)**1.5 + T*FLOAT(I) + AMAX1(X(I), 0.3)*E(1)
        CALL TWICE(SIN, Y(I))
   10 CONTINUE
      Y(1) = Y(1) + S*KIND(1.0) + HALF(A)
      W = CMPLX(A, X(1))*Z + (0.1, 0.2)
      END
      SUBROUTINE TWICE(G, V)
      EXTERNAL G
      V = V + 2.*G(V)
      END
      REAL FUNCTION HALF(B)
      REAL B
      HALF = ALOG(B + 2.0)*.5
      END
