/* Arrays whose sizes are computed before their declarations. */
#include <math.h>

double once(int n, const double x[10])
{
  const int m = n - 1;
  int twice = 2*m;
  double y = 0.0, w[m], v[twice + 1];
  for (int i = 0; i < twice + 1; i++) v[i] = x[i % 10]*x[i % 3];
  for (int i = 0; i < m; i++) w[i] = x[i]*x[i + 1] + v[i + m];
  for (int i = 1; i < m; i++) w[i] *= sin(w[i - 1])*v[i];
  for (int i = 0; i < m; i++) y += w[i]*w[i];
  return y;
}

double changing(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 3; i++) {
    double w[n + i];
    for (int j = 0; j < n + i; j++) w[j] = x[j]*x[i];
    for (int j = 1; j < n + i; j++) w[j] *= sin(w[j - 1]);
    y += w[n + i - 1];
  }
  return y;
}

double twice_set(int n, const double x[10])
{
  int m = n;
  if (n > 3) m = 3;
  double y = 0.0, w[m];
  for (int j = 0; j < m; j++) w[j] = x[j]*x[j + 1];
  for (int j = 1; j < m; j++) w[j] *= sin(w[j - 1]);
  for (int j = 0; j < m; j++) y += w[j];
  return y;
}
