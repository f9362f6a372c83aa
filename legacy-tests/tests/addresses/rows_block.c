#include <stdlib.h>
double f(int n, const double *x) {
    double **a = malloc(n * sizeof(double *));
    double *block = malloc(n * n * sizeof(double));
    double s = 0;
    for (int i = 0; i < n; i++) a[i] = block + i * n;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = x[i*n + j] * x[j*n + i];
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j] * a[j][i];
    free(a[0]); free(a);
    return s;
}
