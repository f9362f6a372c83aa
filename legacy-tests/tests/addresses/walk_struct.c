struct cell { double v, w; int k; };
static double sum(const struct cell *c, int n) {
    double s = 0; const struct cell *p;
    for (p = c; p < c + n; p++) s += p->v * p->w * p->k;
    return s;
}
double f(int n, const double *g) {
    struct cell c[16]; int i;
    for (i = 0; i < n; i++) { c[i].v = g[i]; c[i].w = g[i]*g[i]; c[i].k = i + 1; }
    return sum(c, n);
}
