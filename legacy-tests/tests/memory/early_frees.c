#include <stdlib.h>
#include <math.h>
static void sort(const double *a, int n, int *at) {
    double *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; i++) w[i] = a[i];
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 1; j < n; j++) if (w[j] < w[best]) best = j;
        at[i] = best;
        w[best] = 1e30;
    }
    free(w);
}
static int fill(const double *x, double *y, int m) {
    for (int i = 0; i < m; i++) y[i] = sin(x[i]);
    for (int i = 1; i < m; i++) y[i] = y[i]*y[i-1];
    return m < 0;
}
double head(const double *x, int n) {
    int m = 0;
    double s = 0.0;
    for (int i = 0; i < n; i++) if (x[i] > 0.7) m++;
    if (m == 0) return 0.0;
    double *w = malloc(m * sizeof *w);
    int *at = malloc(m * sizeof *at);
    int k = 0;
    for (int i = 0; i < n; i++) if (x[i] > 0.7) w[k++] = x[i] * x[i];
    sort(w, m, at);
    if (w[at[0]] < 0.0) { free(w); free(at); return -1.0; }
    double *y = malloc(m * sizeof *y);
    if (fill(w, y, m)) { free(y); free(at); free(w); return -2.0; }
    for (int i = 0; i < m; i++) s += (i + 1) * y[at[i]] * w[i];
    free(w);
    free(at);
    free(y);
    return s;
}
