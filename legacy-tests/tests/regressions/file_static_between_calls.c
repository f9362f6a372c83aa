static double g;
static void setg(double x) { g = x * x; }
static double useg(double x) { return g * g * x; }

double head(double x, double z)
{
    double s;

    setg(x);
    s = useg(z);
    setg(z);
    return s + useg(x);
}
