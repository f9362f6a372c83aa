/* A solver with work arrays in one block, as f2c writes them: how much a function is given, its callers
   know. The functions return early, so that they cannot stand in their callers. */
#include <math.h>

typedef int (*function)(void *p, int n, const double *x, double *r);

static double norm(int n, const double *x)
{
  double s = 0.0;
  for (int i = 0; i < n; i++) s += x[i]*x[i];
  return sqrt(s);
}

static int jacobian(function f, void *p, int n, double *x, const double *r, double *jac, double *wa)
{
  for (int j = 0; j < n; j++) {
    const double kept = x[j], h = 1e-3;
    x[j] = kept + h;
    if (f(p, n, x, wa) < 0) return -1;
    x[j] = kept;
    for (int i = 0; i < n; i++) jac[i + j*n] = (wa[i] - r[i])/h;
  }
  return 0;
}

/* Eliminates in `jac` and gives the step in `wa`. */
static int eliminate(int n, double *jac, const double *r, double *wa)
{
  for (int i = 0; i < n; i++) wa[i] = r[i];
  for (int k = 0; k < n; k++) {
    if (jac[k + k*n] == 0.0) return -1;
    for (int i = k + 1; i < n; i++) {
      const double factor = jac[i + k*n]/jac[k + k*n];
      for (int j = k; j < n; j++) jac[i + j*n] -= factor*jac[k + j*n];
      wa[i] -= factor*wa[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) wa[i] -= jac[i + j*n]*wa[j];
    wa[i] /= jac[i + i*n];
  }
  return 0;
}

static int iterate(function f, void *p, int n, double *x, double *r, int most, double *jac,
                   double *wa1, double *wa2)
{
  int count = 0;
  --wa1;
  --wa2;
  if (n <= 0) return 0;
  if (f(p, n, x, r) < 0) return -1;
  while (norm(n, r) > 1e-13) {
    if (++count > most) return 1;
    if (jacobian(f, p, n, x, r, jac, &wa1[1]) < 0) return -1;
    if (eliminate(n, jac, r, &wa2[1]) < 0) return -2;
    for (int i = 1; i <= n; i++) x[i - 1] -= wa2[i];
    if (f(p, n, x, r) < 0) return -1;
  }
  return 0;
}

static int easy(function f, void *p, int n, double *x, double *r, double *wa, int lwa)
{
  if (lwa < n*(n + 2)) return -3;
  return iterate(f, p, n, x, r, 50, &wa[2*n], wa, &wa[n]);
}

static int model(void *p, int n, const double *x, double *r)
{
  const double *a = p;
  (void)n;
  r[0] = x[0] + x[1]*x[2] - a[0];
  r[1] = x[1]*x[1] + exp(0.1*x[0]) - a[1];
  r[2] = x[2] - 0.3*sin(x[1]) - a[2];
  return 0;
}

int solve(double a[3], double x[3])
{
  double r[3], wa[40];
  for (int i = 0; i < 3; i++) x[i] = 1.0;
  return easy(model, a, 3, x, r, wa, 40);
}
