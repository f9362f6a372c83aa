#include <math.h>

/* The same in C. */
void mix(int n, int k, double *restrict h) {
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < n; i++) h[i] = sin(h[i]) + 0.1*h[(i + k) % n]*h[(i + k) % n];
}

double layers(int n, int m, const double *restrict x, double *restrict h) {
    double small[3], y = 0;
    for (int i = 0; i < n; i++) h[i] = x[i];
    for (int k = 0; k < 3; k++) {
        small[k] = x[0]*exp(-x[0]);
        small[k] = sin(small[k]);
    }
    for (int k = 0; k < m; k++) {
        mix(n, k, h);
        for (int i = 0; i < n; i++) h[i] = h[i]*cos(h[i]) + small[k % 3];
    }
    for (int i = 0; i < n; i++) y += h[i];
    return y;
}
