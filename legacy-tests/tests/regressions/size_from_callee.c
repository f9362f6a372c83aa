#include <math.h>
static void inner(int n, const double *x, double *y) {
  double s = 1;
  int i;
  for (i = 0; i < n; i++) { s = sin(s*x[i]); y[i] = s; }
  for (i = 0; i < n; i++) { s = sin(s*x[i]*y[i]); y[i] = s; }
}
void f(int n, const double *x, double *y) {
  inner(n, x, y);
}
