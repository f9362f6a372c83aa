      SUBROUTINE TAB(X, Y)
      DOUBLE PRECISION X, Y, D
      INTEGER K(2)
      EQUIVALENCE (D, K(1))
      DATA K /0, 1072693248/
      Y = X*X*D
      END
