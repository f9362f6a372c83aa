/* The check of an allocation is no branch: memory that is there at every call is saved and released. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
double top(int n, const double *x)
{
    double *u, *w;
    u = malloc(n*sizeof *u);
    w = calloc(n, sizeof(double));
    if (!u || w == NULL) {
        fprintf(stderr, "no memory\n");
        return -1.0;
    }
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        u[i] = x[i]*x[i];
        w[i] += sin(u[i]);
        u[i] *= w[i];
        s = s*w[i] + u[i];
    }
    free(u);
    free(w);
    return s;
}
