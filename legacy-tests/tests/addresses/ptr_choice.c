#include <math.h>
void f(int n, int k, double *x, double *y) {
    double *p = k > 0 ? x : y, *q = k > 0 ? y : x;
    for (int i = 1; i < n; i++) { p[i] = p[i] * q[i-1] + p[i-1]; q[i] *= p[i]; }
    p = q;
    for (int i = 0; i < n; i++) p[i] = sin(p[i]) * x[i];
}
