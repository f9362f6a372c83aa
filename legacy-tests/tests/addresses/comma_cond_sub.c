double f(int n, double *x) {
    int i = 0, j = n; double s = 0, a[8];
    while (i < n) a[i++] = x[--j];
    i = 0;
    a[i = 1, i + 1] += x[0];
    a[n > 2 ? 0 : 1] *= 2.0;
    x[(i++, i)] = a[2] * a[0];
    (n > 3 ? a : x)[1] += s = a[1];
    *(n > 2 ? &a[2] : &a[3]) *= a[1];
    for (i = 0; i < n; i++) s += a[i] * x[i];
    return s;
}
