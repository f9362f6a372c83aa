#include <stdlib.h>
typedef struct { int n; double *u, *v; } grid;
static grid *grid_new(int n) { grid *g = malloc(sizeof(grid)); if (!g) return NULL; g->n = n; g->u = calloc(n, sizeof(double)); g->v = calloc(n, sizeof(double)); return g; }
static void grid_free(grid *g) { if (g) { free(g->u); free(g->v); free(g); } }
static void grid_swap(grid *g) { double *t = g->u; g->u = g->v; g->v = t; }
static void grid_step(grid *g) { for (int i = 0; i < g->n; i++) g->v[i] = g->u[i] * g->u[(i + 1) % g->n] + 0.1 * g->v[i]; grid_swap(g); }
double f(int n, const double *x) {
    grid *g = grid_new(n); double s = 0;
    for (int i = 0; i < n; i++) g->u[i] = x[i];
    for (int t = 0; t < 4; t++) grid_step(g);
    for (int i = 0; i < n; i++) s += g->u[i] * g->v[i];
    grid_free(g);
    return s;
}
