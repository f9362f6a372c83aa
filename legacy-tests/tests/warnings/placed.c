#include <math.h>
#include "placed.h"

struct own { double a, b; };
typedef struct { double a; } inner;

double gain = 2.0;
static double scale = 3.0;

static double square(double x) { return x*x; }

double energy(int n, const real *x, const struct spring *s, int hard) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += (hard ? s->k : 1.0)*square(x[i] - s->rest);
  return sum;
}

double chosen(const real *x, const struct spring *s, enum mode mode) {
  return energy(1, x, s, mode == HARD);
}

double distance(point a, point b) { return sqrt(square(a.x - b.x) + square(a.y - b.y)); }

double work(const struct spring s, double x) { return gain*scale*s.k*square(x - s.rest); }

void moved(int n, point *p, double by, bool twice) {
  for (int i = 0; i < n; i++) {
    p[i].x += square(by);
    p[i].y *= twice ? 2.0*by : by;
  }
}

double shared(double x) {
  gain = square(x);
  return gain*x;
}

double opaque(const struct own *o, double x) { return square(o->a)*x + o->b; }

double local(inner i, double x) { return square(i.a)*x + opaque(&(struct own){x, i.a}, x); }

double rows(int n, int m, double a[n][m], int flag) {
  double s = 0.0;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += square(a[i][j])*flag;
  return s;
}
