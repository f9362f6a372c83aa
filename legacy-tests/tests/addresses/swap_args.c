void f(int n, int nt, double *u, double *v) {
    double *a = u, *b = v;
    int i, t;
    for (t = 0; t < nt; t++) {
        for (i = 1; i < n - 1; i++) b[i] = a[i] + 0.1 * a[i] * (a[i+1] - 2*a[i] + a[i-1]);
        b[0] = a[0]; b[n-1] = a[n-1];
        double *tmp = a; a = b; b = tmp;
    }
}
