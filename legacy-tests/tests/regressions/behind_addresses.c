/* Functions without source, whose arguments have no type: in MPI, BLAS of some kinds, file formats. */
extern void exchange(const void *in, void *out, int count);
extern void show(const void *what, int count);
typedef struct {
  double v;
} box;

double scalars(const double *x, int n) {
  double s = x[0]*x[1], all;
  exchange(&s, &all, 1);
  return all*all + x[0]*n;
}

double arrays(const double *x, int n) {
  double s[1] = {x[0]*x[1]}, all[1];
  exchange(s, all, 1);
  return all[0]*all[0] + x[0]*n;
}

double pointers(const double *x, int n) {
  double s = x[0]*x[1], all;
  const void *p = &s;
  void *q = &all;
  exchange(p, q, 1);
  return all*all + x[0]*n;
}

double structs(const double *x, int n) {
  box b = {x[0]}, c;
  exchange(&b, &c, 1);
  return c.v + x[0]*n;
}

double of_the_caller(const double *x, int n) {
  double s = x[0]*x[1];
  exchange(x, &s, 1);
  return s*s + x[0]*n;
}

double shown(const double *x, int n) {
  double s = x[0]*x[1];
  show(&s, 1);
  return s*s + x[0]*n;
}
