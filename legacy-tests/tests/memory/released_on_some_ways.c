/* Memory of functions without source (strdup) that is released on some ways only, or by another name. */
#include <stdlib.h>
#include <string.h>
/* released under a condition */
double cond(const double *x, int n, int early) {
  double s = 0.0;
  char *name = strdup("abcd");
  for (int i = 0; i < n; i++) s += strlen(name)*x[i]*x[i];
  if (early) free(name);
  return s;
}
/* released on two ways */
double ways(const double *x, int n, int early) {
  double s = 0.0;
  char *name = strdup("abcd");
  if (early) { s = x[0]*strlen(name); free(name); return s; }
  for (int i = 0; i < n; i++) s += strlen(name)*x[i]*x[i];
  free(name);
  return s;
}
struct part { char *name; double w; };
double member(const double *x, int n) {
  struct part p;
  p.name = strdup("abcd"); p.w = 2.0;
  double s = 0.0;
  for (int i = 0; i < n; i++) s += strlen(p.name)*x[i]*x[i]*p.w;
  free(p.name);
  return s;
}
double inloop(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    char *name = strdup("abcd");
    s += strlen(name)*x[i]*x[i];
    if (i % 2) { free(name); continue; }
    s *= 1.5;
    free(name);
  }
  return s;
}
double mem(const double *x, int n, int early) {
  double *w = malloc(n*sizeof *w), s = 0.0;
  if (!w) return -1.0;
  for (int i = 0; i < n; i++) w[i] = x[i]*x[i];
  if (early) { s = w[0]; free(w); return s; }
  for (int i = 0; i < n; i++) s += w[i]*w[i];
  free(w);
  return s;
}
double again(const double *x, int n) {
  double s = 0.0;
  char *name = strdup("abcd");
  for (int i = 0; i < n; i++) {
    s += strlen(name)*x[i]*x[i];
    if (i % 2) { free(name); name = strdup("ab"); }
  }
  free(name);
  return s;
}
double other(const double *x, int n) {
  double s = 0.0;
  char *name = strdup("abcd"), *p = name;
  for (int i = 0; i < n; i++) s += strlen(p)*x[i]*x[i];
  if (n > 2) free(p); else free(name);
  return s;
}
static double callee(const double *x, int n, int early) {
  char *name = strdup("abcd");
  double s = 0.0;
  if (!name) return -1.0;
  if (early) { s = x[0]*x[0]*strlen(name); free(name); return s; }
  for (int i = 0; i < n; i++) s += strlen(name)*x[i]*x[i];
  free(name);
  return s;
}
double calls(const double *x, int n) {
  double s = 1.0;
  for (int i = 0; i < n; i++) s *= callee(x, n, i % 2);
  return s;
}
