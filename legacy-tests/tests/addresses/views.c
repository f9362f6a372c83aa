/* Memory seen as numbers of the same kind in another order; effects inside of subscripts. */
typedef struct { double part[2]; } number;

static number product(number a, number b)
{
    number c;
    c.part[0] = a.part[0] * b.part[0] - a.part[1] * b.part[1];
    c.part[1] = a.part[0] * b.part[1] + a.part[1] * b.part[0];
    return c;
}

double struct_on_array(int n, double x[])
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        number *z = (number *) (x + 2 * i);
        number w = product(z[0], *z);
        z->part[1] += 0.5 * w.part[0];
        s += w.part[0] * w.part[1] + x[2 * i + 1];
    }
    return s;
}

double counters(double x[2])
{
    int of[4] = {0, 1, 1, 0};
    int *next = of;
    int taken[2] = {0, 0};
    double w[4], s = 0;
    for (int i = 0; i < 4; i++)
        w[taken[*next++]++ + 2 * of[i]] = x[0] * x[1] * (i + 1);
    for (int i = 0; i < 4; i++)
        s += w[i] * w[i] * x[i % 2];
    return s;
}

static long length(const double *from)
{
    const double *to = from;
    while (*to > 0)
        to++;
    return to - from;
}

double distance(double x[2])
{
    double w[4] = {1, 2, 3, -1};
    return x[0] * length(w) + x[1] * length(w + 1) * x[0];
}
