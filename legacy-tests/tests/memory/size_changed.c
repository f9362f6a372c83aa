#include <math.h>
#include <stdlib.h>

static void fill(const double *x, double *w, int m, int all) {
    for (int i = 0; i < all; i++) w[i] = x[i] * w[i];
    for (int i = 1; i < m; i++) w[i] *= sin(w[i - 1]);
}

/* `m` says how much memory there is, until it says something else. */
double head(const double *x, int n) {
    int m = n;
    double s = 0.0, *w = malloc(m * sizeof *w);
    for (int i = 0; i < n; i++) w[i] = x[i];
    m = 2;
    fill(x, w, m, n);
    fill(x, w, m, n);
    for (int i = 0; i < n; i++) s += w[i] * w[i];
    free(w);
    return s;
}
