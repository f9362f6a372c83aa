#include <math.h>
struct cell { double v, w; int k; };
double f(int n, struct cell *c) {
    double s = 0; struct cell *p;
    for (p = c; p < c + n; p++) { s += p->v * p->w; p->v = sin(p->w); }
    for (p = c + n - 1; p >= c; --p) { s += p->v * s; }
    return s;
}
