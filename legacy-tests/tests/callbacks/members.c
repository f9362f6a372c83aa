/* Functions behind members of structs, in tables, from functions and in variables. */
#include <math.h>

typedef struct {
    double (*value)(double x, void *params);
    void *params;
} function;

#define EVALUATE(f, x) ((*((f)->value))(x, (f)->params))

struct wave {
    double amplitude, frequency;
};

static double wave_at(double x, void *params) {
    const struct wave *w = params;
    return w->amplitude * sin(w->frequency * x);
}

static double simpson(const function *f, double a, double b, int n) {
    double h = (b - a) / n, sum = EVALUATE(f, a) + EVALUATE(f, b);
    for (int i = 1; i < n; i++) sum += (i % 2 ? 4.0 : 2.0) * EVALUATE(f, a + i * h);
    return sum * h / 3.0;
}

/* One function, whose context is active. */
double one(double amplitude, double frequency, double b) {
    struct wave w = {amplitude, frequency};
    function f;
    f.value = &wave_at;
    f.params = &w;
    return simpson(&f, 0.0, b, 6);
}

typedef struct {
    const char *name;
    int order;
    void (*step)(double *y, double h, double k);
} method;

static void euler(double *y, double h, double k) { *y += h * k * *y; }
static void middle(double *y, double h, double k) {
    double m = *y + 0.5 * h * k * *y;
    *y += h * k * m;
}
static void backward(double *y, double h, double k) { *y /= 1.0 - h * k; }

static const method methods[] = {{"euler", 1, euler}, {"middle", 2, &middle}, {"backward", 1, backward}};
const method *standard = &methods[1];

typedef struct {
    const method *how;
    double y;
} solver;

static void advance(solver *s, double h, double k) { s->how->step(&s->y, h, k); }

/* A constant table of structs: another method in each step. */
double table(double y, double k, int n) {
    solver s = {&methods[0], y};
    for (int i = 0; i < n; i++) {
        s.how = &methods[i % 3];
        advance(&s, 0.1, k);
    }
    return s.y;
}

static double square(double x) { return x * x; }
static double root(double x) { return sqrt(x); }
typedef double (*simple)(double);

static simple choose(int i) { return i % 2 ? square : root; }

/* Functions that functions return, in a variable and called at once. */
double returned(double x, int n) {
    simple f = square;
    for (int i = 0; i < n; i++) {
        x = 0.5 * f(x) + choose(i)(x + 1.0);
        f = choose(i);
        if (f == root) x *= 1.1;
    }
    return x;
}

static double apply(simple f, double x) { return f(x) * x; }
struct pair {
    simple first, second;
};

/* Members that are handed on as procedure arguments. */
double handed_on(double x, int n) {
    struct pair p = {square, root};
    for (int i = 0; i < n; i++) {
        struct pair q = {p.second, p.first};
        x = apply(p.first, x) + 0.1 * apply(q.first, x);
        p = q;
    }
    return x;
}

/* Whom the caller means is not known. */
double from_outside(const function *f, double x) { return EVALUATE(f, x) * x; }
