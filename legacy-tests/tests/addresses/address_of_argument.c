#include <stddef.h>
#include <math.h>
double *head(const double *x, int n, double *y) {
    if (n < 1) return NULL;
    for (int i = 0; i < n; i++) y[i] = sin(x[i]) * x[i];
    return y;
}
