#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double *c; int order; double a, b; } series;
typedef struct { double val, err; } result;

static double wave_data[4] = {0.3, -0.2, 0.11, 0.07};
static series wave = { wave_data, 3, -1.0, 1.0 };

static double decay_data[3] = {0.9, 0.4, -0.3};
static const series decay = { decay_data, 2, 0.0, 2.0 };
static const series *const all[2] = { &wave, &decay };

static double grid[3] = {0.5, 1.5, 2.5};

static int evaluate(const series *s, double x, result *r) {
  const double *c = s->c;
  double y = (2.0*x - s->a - s->b)/(s->b - s->a), d = 0.0, dd = 0.0, e = 0.0;
  for (int j = s->order; j >= 1; j--) {
    double t = d;
    d = 2.0*y*d - dd + c[j];
    e += fabs(t) + fabs(s->c[j]);
    dd = t;
  }
  r->val = y*d - dd + 0.5*s->c[0];
  r->err = e*x;
  return 0;
}

int table(double x, result *out) {
  result low, high;
  if (x < 0.1) { out->val = 1.0; out->err = x*x; return 0; }
  if (x < 1.0) return evaluate(&wave, x, out);
  int a = evaluate(&wave, x, &low), b = evaluate(&decay, x*x, &high);
  out->val = low.val*high.val;
  out->err = low.err + high.err;
  return a + b;
}

double chosen(double x, int which) {
  result r;
  evaluate(all[which], x, &r);
  return r.val*x;
}

static void interpolate(const double *g, int n, double x, double *y) {
  *y = 0.0;
  for (int i = 0; i < n; i++) *y += g[i]*sin(x*g[i]);
}
void plain(double x, double *y) { interpolate(grid, 3, x, y); }

/* tables that are written by another name */
static double hidden_data[2] = {1.0, 2.0};
static series hidden = { hidden_data, 2, 0.0, 1.0 };
static void overwrite(const series *s, double x) { s->c[0] = x*x; }
double through_struct(double x) { overwrite(&hidden, x); return hidden.c[0]*x + hidden_data[1]; }
double by_own_name(double x) { hidden_data[1] = x*x; result r; evaluate(&hidden, x, &r); return hidden.c[1]*x; }

static double kept_data[2] = {1.0, 2.0};
static double *kept;
double through_pointer(double x) { kept = kept_data; kept[1] = x*x; return kept_data[1]*x; }

static double given_data[2] = {1.0, 2.0};
static double *given(void) { return given_data; }
double through_value(double x) { double *p = given(); p[0] = x*x*x; return given_data[0]; }

static double local_data[2] = {1.0, 2.0};
double through_local(double x, int k) {
  double *p = k ? local_data : &x;
  *p = x*x;
  return local_data[0]*x;
}

struct holder { double *p; };
static double held_data[2] = {1.0, 2.0};
static void hold(struct holder *h) { h->p = held_data; }
double through_holder(double x) { struct holder h; hold(&h); h.p[1] = x*x; return held_data[1]*x; }

static double copied_data[2] = {1.0, 2.0};
static const struct holder original = { copied_data };
double through_copy(double x) { struct holder h = original; h.p[0] = x*x; return copied_data[0]*x; }

static double moved_data[2] = {1.0, 2.0};
static const struct holder movable = { moved_data };
double through_memcpy(double x) { struct holder h; memcpy(&h, &movable, sizeof h); h.p[0] = x*x; return moved_data[0]*x; }

static double deep_data[2] = {1.0, 2.0};
static const struct holder inner = { deep_data };
static const struct holder *const outer[1] = { &inner };
double through_two(double x) { outer[0]->p[1] = x*x; return deep_data[1]*x; }

static double filled_data[2] = {1.0, 2.0};
double through_library(double x) { memset(filled_data, 0, sizeof filled_data); return (filled_data[0] + x)*x; }

static double passed_data[2] = {1.0, 2.0};
static void apply(void (*f)(double *, double), double *a, double x) { f(a, x); }
static void square(double *a, double x) { a[0] = x*x; }
double through_callback(double x) { apply(square, passed_data, x); return passed_data[0]*x; }

static double swapped_a[2] = {1.0, 2.0}, swapped_b[2] = {3.0, 4.0};
double through_swap(double x) {
  double *p = swapped_a, *q = swapped_b, *t;
  for (int i = 0; i < 3; i++) { t = p; p = q; q = t; }
  p[1] = x*x;
  return swapped_a[1]*x + swapped_b[1];
}

static double literal_data[2] = {1.0, 2.0};
static const struct holder *literal = &(const struct holder){ literal_data };
double through_literal(double x) { literal->p[0] = x*x; return literal_data[0]*x; }
double exposed_data[2] = {1.0, 2.0};
const struct holder exposed = { exposed_data };
double through_exposed(double x) { exposed_data[0] = x*x; return exposed.p[0]*x; }
double *of_list(double **l, int i) { return l[i]; }
static double list_data[2] = {1.0, 2.0};
static double *list[1] = { list_data };
double through_list(double x) { double *p = of_list(list, 0); *p = x*x; return list_data[0]*x; }
