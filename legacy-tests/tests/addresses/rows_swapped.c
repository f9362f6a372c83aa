#include <stdlib.h>
double rows(const double *x, int n) {
  double **r = malloc(n*sizeof *r), s = 0;
  for (int i = 0; i < n; i++) { r[i] = malloc(n*sizeof **r); for (int j = 0; j < n; j++) r[i][j] = x[i]*x[j]; }
  double *t = r[0]; r[0] = r[n-1]; r[n-1] = t;
  for (int i = 0; i < n; i++) s += r[0][i]*r[i][0];
  for (int i = 0; i < n; i++) free(r[i]);
  free(r);
  return s;
}
