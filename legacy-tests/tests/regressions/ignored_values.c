static int scale(double *x, double a) { *x = *x * *x * a; return 0; }
static double twice(double *x) { *x *= 2.0; return *x; }
void top(double x, double y, double *z)
{
    double a = x, b = y;
    scale(&a, y);
    twice(&b);
    scale(&b, a);
    *z = a*b;
    twice(z);
}
