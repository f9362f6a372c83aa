#include <math.h>
static double cache_key = -1.0, cache_val;
static int hits;
static double cached(double x)
{
    if (x != cache_key) { cache_key = x; cache_val = exp(x)*x; }
    else hits++;
    return cache_val;
}
static double acc(double x)
{
    static double sum, last = 2.0;
    static int first = 1;
    if (first) { sum = x; first = 0; }
    sum += last*x;
    last = x;
    return sum;
}
double head(int n, const double *x)
{
    double y = 0;
    for (int i = 0; i < n; i++) y += cached(x[i])*cached(x[i]) + acc(x[i]);
    return y;
}
