      SUBROUTINE TOP(N, X, Y)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION X(N), Y(2), WORK(30)
      COMMON /PAR/ A, B(3), K
      COMMON // BLANK(5)
      EQUIVALENCE (WORK(1), P(1)), (WORK(11), Q(1,1))
      DIMENSION P(10), Q(3,4)
      A = X(1)
      K = 2
      DO 1 I = 1, 3
      B(I) = X(2)*I
    1 BLANK(I+1) = B(I)**2
      DO 2 I = 1, N
    2 P(I) = X(I)
      CALL FILL(N, WORK, WORK(11), WORK(21+K))
      Y(1) = Q(2,1)*P(2) + WORK(23)
      CALL FILL(N-1, P(2), Q(1,2), WORK(25))
      Y(2) = Q(1,2)*A + WORK(26)*B(K) + BLANK(2)
      END
      SUBROUTINE FILL(N, P, Q, R)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION P(*), Q(3,*), R(2)
      COMMON /PAR/ C(2), D, E, L
      COMMON // S, T(2), U, V
      L = MOD(L, 3) + 1
      DO 10 I = 1, MIN(N,3)
      Q(I,1) = P(I)*C(1) + T(1)
   10 C(2) = C(2) + Q(I,1)*D
      R(1) = C(2)*E
      R(2) = SIN(R(1))*U
      C(1) = C(1)*R(2) + T(2)
      U = U + P(1)*Q(1,1)
      END
