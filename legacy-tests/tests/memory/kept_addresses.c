#include <math.h>
#include <stdlib.h>

struct view { double *at; int n; };

/* Lets somebody else know an address. */
static void show(struct view *v, double *a, int n) {
    struct view own = {a, n};
    *v = own;
}

/* Keeps none, whatever it does to memory of its own. */
static void change(double *own, int n) {
    double *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; i++) w[i] = own[i];
    for (int i = 0; i < n; i++) own[i] = w[n - 1 - i] * sin(own[i]);
    free(w);
}

double head(const double *x, int n) {
    struct view v;
    double s = 0.0, *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) {
        a[i] = x[i];
        b[i] = x[i] * x[i];
    }
    show(&v, b, n);
    change(a, n);
    for (int i = 0; i < n; i++) v.at[i] *= a[i];
    change(b, n);
    for (int i = 0; i < n; i++) s += v.at[i] * a[i];
    free(b);
    free(a);
    return s;
}
