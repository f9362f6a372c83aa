C     The entries of a function share its result; one has another type.
      REAL*8 FUNCTION AREA(X)
      IMPLICIT REAL*8 (A-H, O-Z)
      INTEGER KIND3
      AREA = X*X
      RETURN
      ENTRY VOLUME(X, Y)
      AREA = X*X*Y
      IF (Y .GT. 1) RETURN
      VOLUME = AREA + Y
      RETURN
      ENTRY KIND3(X)
      KIND3 = 1
      IF (X .GT. 1) KIND3 = 2
      END

      SUBROUTINE F(X, Z, Y)
      IMPLICIT REAL*8 (A-H, O-Z)
      INTEGER KIND3
      EXTERNAL AREA, VOLUME, KIND3
      Y = AREA(X) + VOLUME(X, Z)*KIND3(X)
      Y = Y*VOLUME(Y, X + 1)
      END
