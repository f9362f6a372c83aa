static double dot(int n, const double *x, const double *y) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }
static void axpy(int n, double c, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] += c * x[i]; }
double f(int n, double *a) {
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) axpy(n, -dot(n, &a[i*n], &a[j*n]), &a[j*n], a + i*n);
    return dot(n, a, &a[(n-1)*n]);
}
