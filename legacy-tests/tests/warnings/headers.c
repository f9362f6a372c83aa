#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef double real;
enum kind { ONE, TWO };

void rows(int n, int m, const double a[restrict n][m], double out[restrict n]) {
  for (int i = 0; i < n; i++) {
    out[i] = 0.0;
    for (int j = 0; j < m; j++) out[i] += a[i][j]*a[i][j];
  }
}

double complex turned(double complex z, const double complex *w, size_t n) {
  for (size_t i = 0; i < n; i++) z = z*w[i] + cexp(z);
  return z;
}

real chosen(const real *x, bool flag, enum kind k, int n) {
  real s = 0;
  for (int i = 0; i < n; i++) s += flag ? x[i]*x[i] : k == TWO ? sin(x[i]) : x[i];
  return s;
}

float words(const float *x, long n, unsigned char c, double class, double this, double new) {
  float s = c;
  for (long i = 0; i < n; i++) s += x[i]*x[i]*(float)class;
  return s*(float)(this*new);
}

long double wide(long double x, int n[3]) { return x*x*n[0]; }

double shared[4], template;

void globals(const double *x) {
  for (int i = 0; i < 4; i++) shared[i] = x[i]*x[i];
  template = shared[0]*x[1];
}

void fixed(double a[3][3], double (*b)[3], double *restrict c) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c[i] = a[i][j]*b[j][i] + c[i];
}

double applied(double (*g)(double), double x) { return g(x)*x; }
