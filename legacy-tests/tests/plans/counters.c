/* Integers that sums move on, and by which arrays are subscripted. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static double row(int k, const double *a, const double *x, int m)
{
    double s = 0.0;

    while (m > 0) {
        s += a[k] * x[m - 1] * s + a[k];
        k++;
        m -= 1;
    }
    return s;
}

/* A triangle that is packed, run through by a pointer, a size, a short, and a char that wraps. */
double packed(int n, const double *a, const double *x)
{
    const double *p = a;
    size_t at = 0;
    short few = 0;
    unsigned char wraps = 250;
    double y = 0.0;
    int i, j;

    for (i = 0; i < n; i++) {
        double s = 0.1;
        for (j = 0; j <= i; j++) {
            s += *p++ * x[j] * s;
            at++;
            few += 1;
            wraps++;
            y += s * a[at - 1] * a[few - 1] * cos(s) * x[wraps % n];
        }
        if (s > 0.2) {
            at -= 1;
            y *= sin(s) * a[at];
            at += 1;
        }
        y += row((int)at - 1 - i, a, x, i) * s;
    }
    return y;
}

/* A truth adds up to a truth: it is kept. */
double truths(int n, const double *a, const double *x)
{
    double y = 1.0;
    bool b = false;
    signed char d = 1;
    int i;

    for (i = 0; i < n; i++) {
        b += 1;
        d = d + 2L;
        y *= cos(a[b] * x[i]) + a[d];
        b = b - 1;
        y *= sin(a[b] + a[d]) + 1.0;
    }
    return y;
}

/* Another name, and a switch that falls through. */
double jumps(int n, const double *a, const double *x)
{
    double y = 1.0;
    int i, k = 0;
    int *p = &k;

    for (i = 0; i < n; i++) {
        switch (k % 3) {
        case 0:
            k++;
            y *= cos(a[k] * x[i]); /* falls through */
        case 1:
            *p += 2;
            y *= cos(a[k] * x[i]);
            break;
        default:
            k--;
            y += sin(a[k] * x[i]);
        }
        do {
            y *= 0.9 + 0.1 * a[k];
            k++;
            if (k > 20)
                goto out;
        } while (k % 4);
        y *= a[*p];
    }
out:
    return y * a[k];
}

/* What adds a number's own value is no such sum. */
double own(int n, const double *a, const double *x)
{
    double y = 1.0;
    int i, k = 1, m[40];

    for (i = 0; i < 40; i++)
        m[i] = (7 * i) % 5 + 1;
    for (i = 0; i < n; i++) {
        y *= cos(a[k] * x[i]);
        k = k + m[k];
        y *= cos(a[k] * x[i]);
        k = k + k;
        y *= 1.0 + 0.1 * a[k];
        k = k - (k / 2 + 3) + 4;
        y *= cos(a[k] * x[i]);
        k = 3 - k;
        k = -k;
        y *= cos(a[k + 3] * x[i]);
        if (k > 10)
            k = 1;
        m[1] += 1;
        k += m[1];
        m[1] -= 1;
        y *= cos(a[k] * x[i]);
        k = k - 4 > 0 ? k - 4 : 0;
    }
    return y;
}
