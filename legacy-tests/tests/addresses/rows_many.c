#include <stdlib.h>
static double **matrix(int n, int m) {
    double **a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = calloc(m, sizeof **a);
    return a;
}
static void release(double **a, int n) { for (int i = 0; i < n; i++) free(a[i]); free(a); }
static void mul(double **a, double **b, double **c, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
double f(int n, const double *x) {
    double **a = matrix(n, n), **c = matrix(n, n), s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = x[i*n + j];
    mul(a, a, c, n);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += c[i][j] * c[i][j];
    release(a, n); release(c, n);
    return s;
}
