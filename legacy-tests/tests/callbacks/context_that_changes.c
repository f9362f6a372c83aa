#include <math.h>
struct context { double a, b; double seen; };
static double f(double t, void *data) {
    struct context *p = (struct context *)data;
    p->seen += t;
    return p->a * exp(p->b * t);
}
static double trapezoid(double (*g)(double, void *), void *data, int n) {
    double sum = 0.0;
    for (int i = 0; i <= n; i++) sum += g((double)i / n, data) * (i == 0 || i == n ? 0.5 : 1.0);
    return sum / n;
}
double head(double a, double b) {
    struct context c;
    c.a = a; c.b = b; c.seen = 0.0;
    return trapezoid(f, &c, 7) + c.seen;
}
