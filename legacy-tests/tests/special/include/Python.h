/* What cephes takes from this header. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
