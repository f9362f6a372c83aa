/* Addresses without a type: contexts of callbacks, in structs, in tables, in variables. */
struct parameters { double a, b; int order; };
struct context { void *data; int last; };

static double polynomial(double t, void *context)
{
    struct parameters *p = (struct parameters *) context;
    double w = p->a * t;
    if (p->order > 1)
        w += p->b * t * t;
    return w;
}

/* The context is passed as what it is, and as an address; it changes between calls. */
double callback(double x[2])
{
    struct parameters p;
    void *context = &p;
    double s = 0;
    p.a = x[0];
    p.b = x[1];
    p.order = 2;
    for (int i = 0; i < 4; i++) {
        s += polynomial(0.1 * i, context) * s + polynomial(s, &p);
        p.a = s * 0.5;
    }
    return s;
}

static double ends(const struct context *c)
{
    double *q = (double *) c->data;
    return q[0] * q[c->last];
}

double in_struct(double x[3])
{
    struct context c;
    c.data = (void *) x;
    c.last = 2;
    return x[1] + ends(&c);
}

/* Addresses that change in a loop. */
double in_table(double x[2])
{
    void *rows[3];
    double w[3][2], s = 0;
    for (int i = 0; i < 3; i++) {
        rows[i] = w[i];
        ((double *) rows[i])[0] = x[0] * (i + 1);
        ((double *) rows[i])[1] = x[1] * x[0];
    }
    for (int i = 2; i >= 0; i--) {
        void *row = rows[i];
        double *q = row;
        s += q[0] * q[1] * s + q[1];
    }
    return s;
}

double in_variable(double x[2])
{
    void *p = x;
    double *q = p;
    return *q * q[1];
}
