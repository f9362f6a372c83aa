      SUBROUTINE TRAP(F,A,B,N,R)
      DOUBLE PRECISION F,A,B,R,X,H
      INTEGER N,I
      EXTERNAL F
      H=(B-A)/N
      R=0.5D0*(F(A)+F(B))
      DO 10 I=1,N-1
      X=A+I*H
   10 R=R+F(X)
      R=R*H
      END
      DOUBLE PRECISION FUNCTION G(X)
      DOUBLE PRECISION X
      G=SIN(X)*X*X
      END
      SUBROUTINE HEAD(A,B,R)
      DOUBLE PRECISION A,B,R
      EXTERNAL G
      CALL TRAP(G,A,B,10,R)
      END
