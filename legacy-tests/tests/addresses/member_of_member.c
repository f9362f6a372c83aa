/* Pointers in members of members, set to arrays of this function. */
struct vec { double *a; int n; };
struct sys { struct vec x, f; double dt; };
double member(double x) {
  struct sys s;
  double d[3] = {x, x*x, 1};
  s.x.a = d;
  s.x.n = 3;
  s.dt = x;
  for (int i = 0; i < s.x.n; i++) s.x.a[i] *= s.dt;
  double *p = &s.x.a[1];
  p[-1] += p[1];
  return d[0]*d[1];
}
