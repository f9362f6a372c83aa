C     A part of the real work array serves as integers, another as complex numbers.
      SUBROUTINE ORDER(N, X, IP)
      INTEGER N, IP(N), I, J, K
      REAL*8 X(N)
      DO 10 I = 1, N
   10 IP(I) = I
      DO 30 I = 1, N - 1
         DO 20 J = I + 1, N
            IF (X(IP(J)) .LT. X(IP(I))) THEN
               K = IP(I)
               IP(I) = IP(J)
               IP(J) = K
            END IF
   20    CONTINUE
   30 CONTINUE
      END

      SUBROUTINE TAKE(N, X, IP, Y)
      INTEGER N, IP(N), I
      REAL*8 X(N), Y
      Y = 0
      DO 10 I = 1, N
   10 Y = Y*0.5D0 + X(IP(I))**2
      END

      SUBROUTINE TELL(MESSAGE, N)
      INTEGER MESSAGE(2), N
      IF (MESSAGE(1) .EQ. 0) N = N + 1
      END

      SUBROUTINE F(N, X, Y)
      INTEGER N, K
      REAL*8 X(N), Y, W(100)
      K = 0
      CALL TELL('no zeros', K)
      CALL ORDER(N, X, W)
      CALL TAKE(N, X, W, Y)
      IF (K .EQ. 0) Y = Y + X(1)
      END

      SUBROUTINE HALVE(N, Z)
      INTEGER N, I
      COMPLEX*16 Z(N)
      DO 10 I = 1, N
   10 Z(I) = Z(I)/2
      END

      SUBROUTINE G(N, X, Y)
      INTEGER N, I
      REAL*8 X(2*N), Y, W(200)
      DO 10 I = 1, 2*N
   10 W(I) = X(I)
      CALL HALVE(N, W)
      Y = 0
      DO 20 I = 1, 2*N
   20 Y = Y + W(I)**2
      END
