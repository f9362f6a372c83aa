#include <stdlib.h>
typedef struct { int n; double *u; } vec;
static vec vec_new(int n) { vec g; g.n = n; g.u = malloc(n * sizeof(double)); return g; }
static void vec_free(vec *g) { free(g->u); g->u = NULL; g->n = 0; }
static vec vec_mul(vec a, vec b) { vec c = vec_new(a.n); for (int i = 0; i < a.n; i++) c.u[i] = a.u[i] * b.u[a.n - 1 - i]; return c; }
double f(int n, const double *x) {
    vec a = vec_new(n); double s = 0;
    for (int i = 0; i < n; i++) a.u[i] = x[i];
    vec b = vec_mul(a, a), c = vec_mul(a, b);
    for (int i = 0; i < n; i++) s += c.u[i] * b.u[i];
    vec_free(&a); vec_free(&b); vec_free(&c);
    return s;
}
