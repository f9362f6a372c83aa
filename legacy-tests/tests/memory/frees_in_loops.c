#include <math.h>
#include <stdlib.h>
double head(const double *x, int n) {
    double s = 0.0;
    for (int k = 1; k <= n; k++) {
        int m = 0;
        for (int i = 0; i < k; i++) if (x[i] > 0.6) m++;
        if (m == 0) continue;
        double *w = calloc(m, sizeof *w);
        if (!w) return -1.0;
        for (int i = 0, j = 0; i < k; i++) if (x[i] > 0.6) w[j++] = x[i] * x[i];
        if (w[0] > 2.0) { free(w); continue; }
        for (int j = 1; j < m; j++) w[j] *= sin(w[j - 1]);
        if (w[m - 1] > 100.0) { s += w[0]; free(w); break; }
        s += w[m - 1];
        free(w);
    }
    return s;
}
