/* How much `t` and `w` cover is told by the calls alone. */
#include <math.h>
static double table[4] = {1.0, 2.0, 3.0, 4.0};
static double use(int m, double *t, double *w, int k)
{
    for (int i = 0; i < m; i++) {
        t[k % 4] *= 1.0 + 0.1*t[i];
        w[(k + i) % m] += sin(t[i]);
    }
    return t[0]*w[m - 1];
}
double f(int n, const double *x)
{
    double w[n], y = 0.0;
    for (int i = 0; i < 4; i++)
        table[i] = x[i] + i;
    for (int i = 0; i < n; i++)
        w[i] = x[i]*x[0];
    for (int k = 0; k < 3; k++)
        y += use(n, table, w, k)*y + w[k];
    return y;
}
