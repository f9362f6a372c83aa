static void mulacc(int n, double *y, const double *a, const double *b) { for (int i = 0; i < n; i++) y[i] += a[i] * b[n-1-i]; }
void f(int n, double *x) {
    double t[8];
    mulacc(n, x, x, x);
    for (int i = 0; i < n; i++) t[i] = 1.0;
    mulacc(n - 1, x + 1, x, x);
    mulacc(n, t, x, t);
    mulacc(n, x, t, x);
    mulacc(n - 2, x, x + 1, x + 2);
}
