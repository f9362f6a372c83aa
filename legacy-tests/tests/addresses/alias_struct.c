struct view { double *a; double *b; int n; };
static double mix(struct view *v) { double s = 0; for (int i = 0; i < v->n; i++) { v->a[i] *= v->b[v->n - 1 - i]; s += v->a[i] * v->b[i]; } return s; }
double f(int n, double *x) {
    double y[8]; for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
    struct view v = { x, y, n }, w = { x, x, n };
    double s = mix(&v);
    s += mix(&w);
    w.a = y; w.b = y + 1; w.n = n - 1;
    return s + mix(&w);
}
