#ifndef PLACED_H
#define PLACED_H

#include <stdbool.h>

struct spring { double k, rest; };
typedef struct { double x, y; } point;
typedef double real;
enum mode { SOFT, HARD };

double energy(int n, const real *x, const struct spring *s, int hard);
double chosen(const real *x, const struct spring *s, enum mode mode);
double distance(point a, point b);
double work(const struct spring s, double x);
void moved(int n, point *p, double by, bool twice);
double summed(int n, double (*f)(double, const struct spring *), const double *x, struct spring *s);

#endif
