/* Variables of a translation unit, one of them static; a struct by value; state that init prepares. */
#include <math.h>
struct in { double a; int n; };
double scale = 2.0;
static double hidden = 1.0;
double field[4][3];
double acc = 0;
struct in cfg;
static double tab[3];
void init(int n, double x) {
  for (int i = 0; i < n; i++) tab[i] = x*i;
  acc = 0.5;
  hidden = x;
}
double f(const struct in *o, struct in by, int n, double *y) {
  double s = 0;
  acc += 1;
  for (int i = 0; i < o->n; i++) s += sin(o->a*scale*tab[i] + cfg.a);
  for (int i = 0; i < n; i++) y[i] = o->a*s*by.a + field[1][i % 3]*hidden + acc;
  return s;
}
double outside(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += field[0][i]*scale;
  scale = s*acc;
  return s + cfg.a*cfg.n;
}
