/* Memory of malloc in a loop, of another size in each pass, and under a condition. */
#include <stdlib.h>
#include <math.h>
double head(int n, const double *x)
{
    double y = 0.0;
    for (int k = 0; k < n; k++) {
        double *w = malloc((size_t)(k + 1) * sizeof *w);
        w[0] = x[k];
        for (int i = 1; i <= k; i++)
            w[i] = w[i - 1] * sin(x[i]);
        for (int i = 0; i <= k; i++)
            y += w[i] * w[i];
        free(w);
    }
    return y;
}

/* What is freed is needed backwards, and a function reads it. */
static double largest(const double *v, int n)
{
    double m = v[0];
    for (int i = 1; i < n; i++)
        if (v[i] > m)
            m = v[i];
    return m;
}

double head2(int n, const double *x)
{
    double y = 1.0;
    for (int k = 1; k < n; k++) {
        double *t = calloc((size_t)n, sizeof *t);
        double m, s = 0.0;
        for (int i = 0; i < k; i++)
            t[i] = x[i] * x[i] * y;
        m = largest(t, n);
        for (int i = 0; i < k; i++)
            s += exp(t[i] - m);
        if (s > 2.0) {
            double *u = malloc((size_t)k * sizeof *u);
            for (int i = 0; i < k; i++)
                u[i] = t[i] * s;
            s += u[k - 1] * u[0];
            free(u);
        }
        free(t);
        y = y + 0.1 * (log(s) + m);
    }
    return y;
}
