#include <string.h>
void head(int n, const double *x, double *y) {
    double a[10], b[10];
    double *rows[2], *twin[2];
    int i;
    rows[0] = a; rows[1] = b;
    memcpy(twin, rows, sizeof rows);
    for (i = 0; i < n; i++) { a[i] = x[i]; b[i] = x[i] * x[i]; }
    for (i = 0; i < n; i++) twin[0][i] = twin[0][i] * twin[1][i];
    *y = 0.0;
    for (i = 0; i < n; i++) *y += a[i] * rows[1][i];
}
