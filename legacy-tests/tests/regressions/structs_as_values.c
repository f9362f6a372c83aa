#include <math.h>

/* Structs that are passed as values, with pointers in them. */
struct view {
  double *p;
  int n;
};

static double total(struct view v) {
  double s = 0.0;
  for (int i = 0; i < v.n; i++) s += v.p[i]*v.p[i];
  return s;
}

static void twice(struct view v) {
  for (int i = 0; i < v.n; i++) v.p[i] *= 2.0*v.p[i];
}

static void halves(struct view v) {
  double *half = v.p + v.n/2;
  struct view rest = {half, v.n - v.n/2};
  twice(rest);
}

double head(const double *x, int n) {
  double w[5], s = 0.0;
  for (int i = 0; i < n; i++) w[i] = x[i];
  struct view v = {w, n};
  for (int i = 0; i < 3; i++) {
    twice(v);
    s += total(v);
    halves(v);
    v.n--;
  }
  return s + total(v);
}

static void spread(struct view v, int depth) {
  if (depth == 0) return;
  for (int i = 0; i < v.n; i++) v.p[i] *= v.p[0];
  spread(v, depth - 1);
}

double recursive(const double *x, int n) {
  double w[5];
  for (int i = 0; i < n; i++) w[i] = x[i];
  struct view v = {w, n};
  spread(v, 3);
  return total(v);
}

/* Functions in structs. */
struct model {
  double (*f)(double);
  double scale;
};

static double wave(double x) { return sin(x)*x; }
static double hill(double x) { return exp(-x*x); }
static double applied(struct model m, double x) {
  double v = m.f(x)*m.scale;
  return v*v;
}

double one_function(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    struct model m = {wave, x[i]};
    s += applied(m, x[i]);
  }
  return s;
}

double functions_that_change(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    struct model m = {i % 2 ? wave : hill, x[i]};
    s += applied(m, x[i]);
  }
  return s;
}
