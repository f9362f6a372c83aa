#include <math.h>
struct context { const double *c; int n; };
typedef double (*function)(double t, void *data);
static double polynomial(double t, void *data) {
    const struct context *context = data;
    double sum = 0.0;
    for (int i = context->n - 1; i >= 0; i--) sum = sum * t + context->c[i];
    return sum;
}
static double simpson(function f, void *data, double a, double b, int n) {
    double h = (b - a) / n, sum = f(a, data) + f(b, data);
    for (int i = 1; i < n; i++) sum += (i % 2 ? 4.0 : 2.0) * f(a + i * h, data);
    return sum * h / 3.0;
}
double head(const double *c, int n, double a, double b) {
    struct context context = {c, n};
    return simpson(polynomial, &context, a, b, 8);
}
