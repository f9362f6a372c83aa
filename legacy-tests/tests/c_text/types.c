#include <math.h>

typedef double real;

/* Structs without a tag, of variables of the file. */
static struct {
  real a, b;
  int k;
} par = {1.0, 2.0, 3};
struct {
  real c[2];
} table[3], *current;
static struct model {
  real a, b[2];
  struct {
    int k;
    real w;
  } in;
} model;
static real level;

static void prepare(const real *x) {
  par.a = x[0]*x[1];
  par.b = x[2];
  par.k = 2;
}

double of_the_file(const real *x, int n) {
  real s = 0.0;
  prepare(x);
  for (int i = 0; i < n; i++) s += par.a*x[i]*par.k + par.b;
  return s;
}

double rows_of_the_file(const real *x, int n) {
  real s = 0.0;
  for (int i = 0; i < 3; i++) table[i].c[0] = table[i].c[1] = x[i];
  for (int i = 0; i < n; i++) {
    table[i % 3].c[i % 2] *= x[i];
    s += table[(i + 1) % 3].c[0];
  }
  return s;
}

double with_a_tag(const real *x, int n) {
  real s = 0.0;
  model.a = x[0]*x[1];
  model.b[0] = x[2];
  model.b[1] = sin(x[0]);
  model.in.k = 2;
  model.in.w = x[1];
  level = x[2];
  for (int i = 0; i < n; i++) s += (model.a*x[i]*model.in.k + model.b[i % 2])*model.in.w*level;
  return s;
}

/* Types that only one function knows. */
static double product(double a, double b) {
  typedef double number;
  struct pair {
    number u, v; /* both */
  };
  typedef struct {
    struct pair p;
    number w[2];
  } both;
  struct pair q = {a, b};
  both t;
  t.p = q;
  t.w[0] = q.u*q.v;
  t.w[1] = sin(q.u);
  return t.p.u*t.w[0] + t.p.v*t.w[1];
}

double of_a_function(const real *x, int n) {
  struct {
    double sum;
    int k;
  } parts[2] = {{0.5, 0}, {1.0, 0}};
  for (int i = 0; i < n; i++) {
    parts[i % 2].sum += product(x[i], parts[i % 2].sum);
    parts[i % 2].k++;
  }
  return parts[0].sum*parts[1].sum + parts[0].k;
}

double one_of_two(const real *x, int n) {
  union {
    double d, e;
  } u;
  double s = 0.0;
  u.d = x[0];
  for (int i = 0; i < n; i++) {
    s += u.d*x[i];
    u.d = s;
  }
  return s;
}
