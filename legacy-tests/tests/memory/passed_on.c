#include <stdlib.h>
#include <math.h>
static int derivs(const double *x, int n, double *d) {
    if (n == 2) { d[0] = d[1] = x[0]; return 0; }
    for (int i = 0; i < n-1; i++) { if (x[i] > 100.) return 1; d[i] = x[i+1]*x[i]; }
    d[n-1] = x[n-1];
    return 0;
}
int interp(const double *x, int n, double *y, int m) {
    double *d;
    int i, err;
    if (n < 2) return 1;
    d = calloc(n, sizeof(double));
    err = derivs(x, n, d);
    if (err) { free(d); return 2; }
    for (i = 0; i < m; i++) y[i] = d[i % n] * sin(d[i % n]);
    free(d);
    return 0;
}
double head(const double *x, int n) {
    double y[5], s = 0.0;
    if (interp(x, n, y, 5)) return -1.0;
    for (int i = 0; i < 5; i++) s += y[i] * y[i];
    return s;
}
