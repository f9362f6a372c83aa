      SUBROUTINE TAB(X, Y)
      DOUBLE PRECISION X, Y, A(4), B, C(2)
      INTEGER I
      EQUIVALENCE (A(3), C(1)), (B, A(2))
      SAVE
      DATA A /1D0, 2D0, 3D0, 4D0/
      B = B + X
      C(1) = C(2)*X
      Y = 0
      DO 10 I = 1, 4
   10 Y = Y + A(I)*X**I
      END
