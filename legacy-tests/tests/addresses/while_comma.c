#include <math.h>
double f(double x) {
    double y = x, d; int it = 0;
    while (d = (y*y - x) / (2*y), fabs(d) > 1e-14 && it++ < 50) y -= d;
    return y * x;
}
