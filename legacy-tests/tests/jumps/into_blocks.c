#include <math.h>

/* Jumps into and out of blocks, loops and arms of conditions, ahead and back. */
void f(int n, const double *x, double *y) {
    double s = 0.0, t = 1.0;
    int i = 0, k = 0;
    if (n % 2)
        goto middle;
    while (i < n) {
        s += x[i] * t;
    middle:
        t = 0.5 * t + sin(x[i]);
        i++;
        if (i == n / 2 && k < 2)
            goto other;
    }
    if (s > 1.0) {
        s = sqrt(s);
    } else {
    other:
        s = s * 0.9 + t * t;
        k++;
        if (k < 2)
            goto shared;
        t *= 0.8;
    }
    do {
        s *= 1.01;
    shared:
        s += 0.1 * t;
        if (s > 50.0)
            break;
    } while (++k < 5);
    for (i = 0; i < n; i++) {
        if (x[i] > 1.0)
            goto next;
        s += x[i] * x[i];
    next:
        t += s * 0.01;
    }
    y[0] = s;
    y[1] = t;
}
