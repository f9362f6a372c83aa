#include <stdlib.h>
static void step(int n, double dt, const double *a, double *b) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i] + dt * a[i] * (a[i+1] - 2*a[i] + a[i-1]);
    b[0] = a[0]; b[n-1] = a[n-1] * a[n-2];
}
void f(int n, int nt, double *u) {
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *tmp;
    for (int i = 0; i < n; i++) { a[i] = u[i]; b[i] = 0.0; }
    for (int t = 0; t < nt; t++) { step(n, 0.1, a, b); tmp = a; a = b; b = tmp; }
    for (int i = 0; i < n; i++) u[i] = a[i];
    free(a); free(b);
}
