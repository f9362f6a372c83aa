#include <math.h>

/* sum_i exp(sin x_i) x_i.
 *
 * Independent iterations over an input.  True tape: 0 bytes. */
double pointwise(int n, double *x)
{
    double s = 0.0;

    for (int i = 0; i < n; i++)
        s += exp(sin(x[i])) * x[i];
    return s;
}
