#include <math.h>
#include <stddef.h>
typedef struct { int n; double h; } grid;
static void inner(const grid *g, int n, const double *x, double *y) {
  double s = 1;
  if (n > 100) { for (int i = 0; i < g->n; i++) { s = sin(s*x[i]); y[i] = s; } }
  else for (int i = 0; i < n; i++) { s = cos(s*x[i]); y[i] = s*s; }
}
void f(int n, const double *x, double *y) {
  inner(NULL, n, x, y);
}
