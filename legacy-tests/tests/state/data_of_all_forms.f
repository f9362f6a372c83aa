      SUBROUTINE TAB(N, X, Y)
C     written arrays with DATA of all forms
      INTEGER N, I, J, K
      DOUBLE PRECISION X(N), Y, A(3,4), B(10), C(6), BIG(100000), S
      INTEGER NT(5), NCALL
      COMPLEX*16 Z(2)
      CHARACTER*4 NAMES(3)
      LOGICAL L(4)
      PARAMETER (K = 3)
      DATA ((A(I,J), I = 1, 3), J = 1, 4) /12*0.5D0/, S /1/
      DATA (B(I), I = 1, 9, 2), (B(2*I), I = 1, 4) /5*1.0D0, 4*2.0/
      DATA C /K*1.5, 3*-2.5E0/, NT /1,2,2*3,4/, NCALL /0/
      DATA Z /(1.0D0,2.0D0), (0.0,-1.0)/, NAMES /'abcd','ef','g'/
      DATA L /2*.TRUE.,.FALSE.,.TRUE./
      DATA BIG /50000*1.0D-3, 49999*2.0D-3, 7.0D0/
      NCALL = NCALL + 1
      NT(1) = NCALL
      Y = 0.0D0
      DO 10 I = 1, N
        J = MOD(I, 3) + 1
        Y = Y + A(J,1)*X(I)**2 + B(J)*X(I) + C(J+2)*X(I)**3
     &    + BIG(I)*X(I) + BIG(100001-I)*X(I)**2 + DBLE(Z(1))*X(I)
        A(J,1) = A(J,1) + 0.25D0
        B(J) = B(J)*1.5D0
        C(J+2) = C(J+2) + NT(J)
        IF (L(J) .AND. NAMES(1) .EQ. 'abcd') Y = Y + S*X(I)
   10 CONTINUE
      NAMES(2) = 'zz'
      L(2) = .NOT. L(2)
      Z(2) = Z(1)
      S = S + 1.0D0
      END
