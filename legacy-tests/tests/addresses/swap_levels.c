#include <stdlib.h>
void f(int n, int nt, double *u) {
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *tmp;
    int i, t;
    for (i = 0; i < n; i++) { a[i] = u[i]; b[i] = 0.0; }
    for (t = 0; t < nt; t++) {
        for (i = 1; i < n - 1; i++) b[i] = a[i] + 0.1 * a[i] * (a[i+1] - 2*a[i] + a[i-1]);
        b[0] = a[0]; b[n-1] = a[n-1];
        tmp = a; a = b; b = tmp;
    }
    for (i = 0; i < n; i++) u[i] = a[i];
    free(a); free(b);
}
