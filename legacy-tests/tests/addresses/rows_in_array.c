/* Pointers in a local array, set by an initialiser, swapped on the way; one that only a comparison reads. */
#include <math.h>
double f(int n, const double *x) {
    double y = 0, a[5] = {1, 2, 3, 4, 5}, b[5] = {3, 4, 5, 6, 7};
    double *row[2] = {a, b};
    const double *end = x + n;
    for (int i = 0; i < n; i++) {
        row[0][i % 5] = row[1][(i + 1) % 5] * x[i];
        row[1][i % 3] *= row[0][2];
        if (x[i] > 0.4) {
            double *other = row[0];
            row[0] = row[1];
            row[1] = other;
        }
        y += row[0][i % 5] * y + sin(row[0][1]);
    }
    for (const double *p = x; p != end; p++) y += *p * a[0];
    return y;
}
