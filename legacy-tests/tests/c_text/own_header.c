#include "own_header.h"

static double kept = 1.0;

static double part(double x) { return kept*abs(x); }

double own_header(int n, const double x[5])
{
  double y = 0.0;
  const int m = min(n, n);
  kept = 0.5;
  for (int i = 0; i < m; i++) {
    y = y*y + part(x[i % 5]);
    while (y > 2.0) y = 0.5*y*y/(1.0 + y);
  }
  return y;
}
