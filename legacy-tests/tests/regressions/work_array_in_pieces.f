      SUBROUTINE HEAD(X, Y)
      DOUBLE PRECISION X(6), Y(6), WORK(100)
      INTEGER IP(5), LW
C     workspace carved in pieces with pointers in an integer array
      LW = 1
      DO 10 I = 1, 5
      IP(I) = LW
   10 LW = LW + 6 + I
      CALL FILL(6, X, WORK(IP(1)), WORK(IP(2)))
      CALL FILL(6, WORK(IP(1)), WORK(IP(3)), WORK(IP(4)))
      CALL COMB(6, WORK(IP(3)), WORK(IP(4)), WORK(IP(2)), WORK(IP(5)))
      CALL DCOPY(6, WORK(IP(5)), 1, Y, -1)
      END
      SUBROUTINE FILL(N, A, B, C)
      DOUBLE PRECISION A(N), B(N), C(*)
      DO 10 I = 1, N
      B(I) = A(I)**2
   10 C(I) = SIN(B(I))*A(N+1-I)
      END
      SUBROUTINE COMB(N, A, B, C, D)
      DOUBLE PRECISION A(N), B(N), C(N), D(N), T
      T = 0
      DO 10 I = N, 1, -1
      T = T*0.5D0 + A(I)*B(I)
   10 D(I) = T*C(I)
      END
      SUBROUTINE DCOPY(N, DX, INCX, DY, INCY)
      DOUBLE PRECISION DX(*), DY(*)
      INTEGER I, INCX, INCY, IX, IY, M, MP1, N
      IF (N .LE. 0) RETURN
      IF (INCX .EQ. 1 .AND. INCY .EQ. 1) GO TO 20
      IX = 1
      IY = 1
      IF (INCX .LT. 0) IX = (-N+1)*INCX + 1
      IF (INCY .LT. 0) IY = (-N+1)*INCY + 1
      DO 15 I = 1, N
      DY(IY) = DX(IX)
      IX = IX + INCX
   15 IY = IY + INCY
      RETURN
   20 M = MOD(N, 7)
      IF (M .EQ. 0) GO TO 40
      DO 30 I = 1, M
   30 DY(I) = DX(I)
      IF (N .LT. 7) RETURN
   40 MP1 = M + 1
      DO 50 I = MP1, N, 7
      DY(I) = DX(I)
   50 DY(I+1) = DX(I+1)
      END
