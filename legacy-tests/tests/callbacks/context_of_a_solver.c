#include <math.h>
typedef int (*fcn)(void *p, int m, const double *x, double *f);
static int model(void *p, int m, const double *x, double *f) {
  const double *y = p;
  for (int i = 0; i < m; i++) f[i] = y[i] - x[0]*exp(-x[1]*i*0.3);
  return 0;
}
static int drive(fcn f, void *p, int m, double *x, double *w) {
  for (int k = 0; k < 3; k++) {
    f(p, m, x, w);
    for (int i = 0; i < m; i++) x[i % 2] += 0.1*w[i];
  }
  return 1;
}
void fit(int m, double *y, double *x) {
  double w[8];
  drive(model, y, m, x, w);
}
