/* What GNU C allows, in one function after the other. */
#include <math.h>
#include <complex.h>
#include <tgmath.h>
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SQ(x) ((x) * (x))
struct v { double x, y; };
typedef struct { struct v p[2]; union { struct { double a, b; }; double ab[2]; }; int n; } mix;
static double counter;
static double tick(double x) { counter += 1; return x * counter; }
double lists_of_effects(double x, double y) { counter = 0; return MAX(tick(x), tick(y)) + (tick(x) ?: y) * (x > 1 ? tick(y) : y); }
double complex_extensions(double x) {
  double _Complex z = x + 2.0i * x;
  __real__ z *= 2; __imag__ z += __real__ z * x;
  z = exp(z * 0.1) * ~z;
  return __real__ z + cimag(z) + fabs(z);
}
double nested_designators(double x, int n) {
  mix m = { .p[1].y = x, .p[0] = { x * x, 3 }, .a = 2 * x, .n = 3 };
  for (__auto_type i = 0; i < n; i++) { m.p[i % 2].x += m.p[1].y * m.a; m.b += SQ(m.p[0].x); m.a = m.a + 0.1 * m.b; }
  return m.p[0].x + m.p[1].x + m.b;
}
double jumps_and_cases(double x) {
  int k = 0; double r = x;
  again: r = r * x + k;
  switch (k++) { case 0: r += x; case 1: goto again; case 2 ... 4: if (r < 100) goto again; default: break; }
  do { if (k-- < 2) break; r = sqrt(r) + x; } while (1);
  return r;
}
double orders_of_evaluation(double x, double y) {
  double a[4] = { x, y, x * y, 1 }; unsigned u = 3; long i = 0;
  double s = a[i++]; s += a[i++]; s *= a[i];
  u -= 2;
  s += (a[2] = a[u] * x, a[2] + 1);
  s *= (x, y) + (int)(x * 10) / 10.0 * 0;
  return s + (x > y) + !x + (u - 2 > 5);
}
