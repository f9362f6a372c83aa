#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
#include <time.h>
double t_all_headers(double x) {
  assert(x > 0);
  return (sqrt)(x) + (fabs)(x) + isnan(x) + fmax(x, DBL_EPSILON) + (isfinite(x) ? 1 : NAN) + INT_MAX + (double)SIZE_MAX;
}
double t_generic_mathematics(double x) {
  float f = x;
  double complex z = x + I;
  return sin(f) + pow(f, 2.0f) + sin(x) + pow(x, 2.0f) + cabs(exp(z)) + fabs(z) + sqrt(3) + (cimag)(z) + creal(z);
}
double t_threads(double x) { return x + omp_in_parallel(); }
