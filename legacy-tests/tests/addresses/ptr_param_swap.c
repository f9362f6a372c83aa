#include <stdlib.h>
static void swap(double **a, double **b) { double *t = *a; *a = *b; *b = t; }
void f(int n, int nt, double *u) {
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) { a[i] = u[i]; b[i] = 0.0; }
    for (int t = 0; t < nt; t++) {
        for (int i = 0; i < n; i++) b[i] = a[i] * a[(i+1)%n] + 0.1;
        swap(&a, &b);
    }
    for (int i = 0; i < n; i++) u[i] = a[i];
    free(a); free(b);
}
