#include <math.h>

struct weights { double w[3]; };
struct state { int kind; double a, b; struct weights *more; };

static double table[4];

/* Called with two arrays, and with the same array twice. */
static void step(double *p, double *q, int n) {
    for (int i = 0; i < n; i++)
        p[i] = p[i] * q[n - 1 - i] + sin(q[i]);
}

/* Called with the table itself, and with another array. */
static void scale(double *p, int n) {
    for (int i = 0; i < n; i++)
        p[i] = p[i] * table[n - 1 - i] + 0.1 * table[i];
}

/* Called with distinct arrays only. */
static void fold(double *p, const double *q, int n) {
    for (int i = 1; i < n; i++)
        p[i] = p[i] * p[i - 1] + q[i] * q[i];
}

static double pick(double *p, struct state *s) {
    double r = p[0] * s->a;
    if (s->kind == 1) {
        struct weights *more;
        more = s->more;
        r += more->w[1];
    }
    if (p[1] < 0.2)
        p[1] = 0.2;
    return r + s->b * p[1];
}

void f(const double *x, double *y) {
    double a[4], b[4];
    struct weights more = {{x[0], 2.0 * x[1], x[2] * x[3]}};
    struct state s = {0, x[1], x[2], &more};
    for (int i = 0; i < 4; i++) {
        a[i] = x[i];
        b[i] = 0.5 * x[3 - i] + 0.2;
        table[i] = x[i] * x[i];
    }
    step(a, b, 4);
    step(a, a, 4);
    fold(a, b, 4);
    scale(a, 4);
    scale(table, 4);
    s.a += pick(a, &s);
    s.a *= pick(table, &s);
    for (int i = 0; i < 4; i++)
        y[i] = a[i] + table[i] * s.a;
}
