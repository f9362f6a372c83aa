static double mul(double a, double b) { a *= b; return a; }

double f(int n, const double x[n])
{
    double s = x[0] + x[n - 1];

    return mul(s, s);
}
