/* Numbers behind addresses without a type: plain variables, elements, members, work arrays. */
#include <math.h>

struct record { int n; double h[3]; double z; };

static void set(void *p, double a) { *(double *)p = a*a; }
static void set_twice(void *p, double a) { set(p, a*2); }
static void update(void *p, void *q, double a)
{
  double *z = p;
  const double *w = q;
  z[0] = a*w[0];
  z[1] += w[0];
}
static void swap(void *p, void *q)
{
  double *z = p, *w = q, t = *z;
  *z = *w;
  *w = t;
}
static double write(void *p, double a)
{
  double *q = p;
  q[0] = a*a;
  return q[0]*3;
}

double of_variables(int n, const double x[10])
{
  double y = 0.0, k[3] = {1, 2, 3}, t = 2.0;
  struct record s = {1, {1, 2, 3}, 4};
  for (int i = 0; i < n; i++) {
    set(k, x[i]);
    set(&k[1], x[i + 1]);
    set_twice(k + 2, y);
    set(&t, x[i]);
    set_twice(&s.z, t);
    set(s.h + 1, k[2]);
    y += k[0]*k[1] + sin(k[2])*t + s.z*s.h[1]*s.h[2];
  }
  return y;
}

double of_two(int n, const double x[10])
{
  double y = 0.0, k[3] = {1, 2, 3}, t = 2.0, r[2] = {x[0], x[1]};
  for (int i = 0; i < n; i++) {
    update(k, &t, x[i]);
    update(k + 1, k, x[i + 1]);
    update(r, r, 0.3);
    swap(&t, k);
    swap(k, &r[i % 2]);
    y += k[0]*k[1] + sin(k[2])*t + r[1];
    if (i % 3) swap(&y, &t);
  }
  return y;
}

/* What is written is of no use to the caller. */
double of_work(int n, const double x[10])
{
  double y = 0.0, k[1], l[1];
  void *p = n > 100 ? l : k, *q = k;
  if (n > 50) q = l;
  for (int i = 0; i < n; i++) y += write(p, x[i]) + write(q, y);
  return y;
}
