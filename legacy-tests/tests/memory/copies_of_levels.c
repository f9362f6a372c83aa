#include <math.h>
#include <string.h>
#include <stdlib.h>
struct state { double t; double u[4]; };
double head(const double *x, int n) {
    struct state now, before;
    double *u = malloc(n * sizeof *u), *old = calloc(n, sizeof(double)), s = 0.0;
    memcpy(u, x, n * sizeof *u);
    now.t = x[0];
    for (int i = 0; i < 4; i++) now.u[i] = x[i];
    for (int k = 0; k < 3; k++) {
        memcpy(old, u, sizeof(double) * n);
        before = now;
        for (int i = 1; i < n; i++) u[i] = old[i - 1] * sin(old[i]);
        memmove(u, u + 1, (n - 1) * sizeof *u);
        now.t += before.t * u[0];
        memcpy(now.u, before.u + 1, 3 * sizeof(double));
        now.u[3] = before.u[0] * u[1];
    }
    for (int i = 0; i < n; i++) s += u[i];
    for (int i = 0; i < 4; i++) s += now.u[i] * now.t;
    free(u); free(old);
    return s;
}
