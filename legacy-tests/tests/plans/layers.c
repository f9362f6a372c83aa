/* Layers of a column, each the input of the next: what is kept of them is a matter of memory. */
#include <math.h>

void layers(int n, int m, const double *restrict x, const double *restrict w,
            double *restrict h, double *restrict f) {
  for (int i = 0; i < n; i++) h[i] = x[i];
  for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++) {
      double s = exp(-w[k] * h[i] * h[i]);
      double t = pow(s, 1.5) + sqrt(1.0 + s * h[i]);
      h[i] = h[i] / t + sin(s * t);
    }
  }
  *f = 0.0;
  for (int i = 0; i < n; i++) *f += h[i] * h[i];
}
