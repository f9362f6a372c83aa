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
