/* The six programs, their reverse code as fast as a careful person writes it without changing the
 * algorithm: gathers instead of scatters, tapes only where the true need is, checkpoints where they
 * are cheaper than storing.  Also the bar of bench/. */
#include "hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double heat(int n, int nt, double *u, double *v);
double burgers(int n, int nt, double *u, double *v);
double seidel(int n, int nt, double *a);
double gemm_sq(int n, double *a, double *b, double *c);

static double *array(size_t count)
{
    double *fresh = calloc(count, sizeof(double));

    if (!fresh)
        abort();
    return fresh;
}

/* Sweeps over the interior are reversed on fields p, q whose rim is zero; what flows to the rim is
 * added to the shadow g, as nothing ever overwrites the rim. */

static void split_rim(int n, double *g, double *p)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            p[i * n + j] = g[i * n + j];
}

static void join_rim(int n, const double *p, double *g)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            g[i * n + j] = p[i * n + j];
}

static void swap(double **p, double **q)
{
    double *saved = *p;

    *p = *q;
    *q = saved;
}

static void add_squares(int count, const double *restrict u, double s_b, double *restrict u_b)
{
    for (int k = 0; k < count; k++)
        u_b[k] += 2.0 * s_b * u[k];
}

/* q = L^T p, where L is u + 0.1 (four neighbours - 4 u). */
static void reverse_diffusion(int n, const double *restrict p, double *restrict q, double *restrict g)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int k = i * n + j;
            q[k] = 0.6 * p[k] + 0.1 * (p[k - n] + p[k + n] + p[k - 1] + p[k + 1]);
        }
    for (int j = 1; j < n - 1; j++) {
        g[j] += 0.1 * p[n + j];
        g[(n - 1) * n + j] += 0.1 * p[(n - 2) * n + j];
        g[j * n] += 0.1 * p[j * n + 1];
        g[j * n + n - 1] += 0.1 * p[j * n + n - 2];
    }
}

void hand_heat(int n, int nt, double *u, double *u_b, double *v, double *s, double s_b)
{
    double *p = array((size_t)n * n), *q = array((size_t)n * n);

    *s = heat(n, nt, u, v);
    add_squares(n * n, u, s_b, u_b);
    split_rim(n, u_b, p);
    for (int t = 0; t < nt; t++) {
        reverse_diffusion(n, p, q, u_b);
        swap(&p, &q);
    }
    join_rim(n, p, u_b);
    free(p);
    free(q);
}

/* One sweep of burgers from u to v. */
static void advect(int n, const double *restrict u, double *restrict v)
{
    memcpy(v, u, sizeof(double) * n);
    memcpy(v + (n - 1) * n, u + (n - 1) * n, sizeof(double) * n);
    for (int i = 1; i < n - 1; i++) {
        v[i * n] = u[i * n];
        v[i * n + n - 1] = u[i * n + n - 1];
        for (int j = 1; j < n - 1; j++) {
            int k = i * n + j;
            v[k] = u[k] - 0.05 * u[k] * (u[k + n] - u[k - n] + u[k + 1] - u[k - 1])
                + 0.1 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - 4.0 * u[k]);
        }
    }
}

/* Its transpose at u: the speed times p, c = 0.05 u p, comes back with opposite signs from the
 * neighbours ahead and behind. */
static void reverse_advect(int n, const double *restrict u, const double *restrict p,
                           double *restrict q, double *restrict g)
{
#define C(k) (0.05 * u[k] * p[k])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int k = i * n + j;
            q[k] = p[k] * (0.6 - 0.05 * (u[k + n] - u[k - n] + u[k + 1] - u[k - 1]))
                + 0.1 * (p[k - n] + p[k + n] + p[k - 1] + p[k + 1])
                - C(k - n) + C(k + n) - C(k - 1) + C(k + 1);
        }
    for (int j = 1; j < n - 1; j++) {
        int south = n + j, north = (n - 2) * n + j, west = j * n + 1, east = j * n + n - 2;
        g[south - n] += 0.1 * p[south] + C(south);
        g[north + n] += 0.1 * p[north] - C(north);
        g[west - 1] += 0.1 * p[west] + C(west);
        g[east + 1] += 0.1 * p[east] - C(east);
    }
#undef C
}

/* A checkpoint every EVERY sweeps; those between are run again. */
enum { EVERY = 4 };

void hand_burgers(int n, int nt, double *u, double *u_b, double *v, double *s, double s_b)
{
    size_t size = (size_t)n * n;
    int chunks = (nt + EVERY - 1) / EVERY;
    double *checkpoints = array(size * (chunks + 1)), *states = array(size * EVERY);
    double *p = array(size), *q = array(size);

    memcpy(v, u, sizeof(double) * size);
    for (int t = 0; t < nt; t++) {
        if (t % EVERY == 0)
            memcpy(checkpoints + (t / EVERY) * size, t % 2 ? v : u, sizeof(double) * size);
        if (t % 2)
            advect(n, v, u);
        else
            advect(n, u, v);
    }
    *s = 0.0;
    for (size_t k = 0; k < size; k++)
        *s += u[k] * u[k];

    add_squares(n * n, u, s_b, u_b);
    split_rim(n, u_b, p);
    for (int chunk = chunks - 1; chunk >= 0; chunk--) {
        int sweeps = nt - chunk * EVERY < EVERY ? nt - chunk * EVERY : EVERY;
        memcpy(states, checkpoints + chunk * size, sizeof(double) * size);
        for (int t = 1; t < sweeps; t++)
            advect(n, states + (t - 1) * size, states + t * size);
        for (int t = sweeps - 1; t >= 0; t--) {
            reverse_advect(n, states + t * size, p, q, u_b);
            swap(&p, &q);
        }
    }
    join_rim(n, p, u_b);
    free(checkpoints);
    free(states);
    free(p);
    free(q);
}

/* Row by row from the last: d_j, the shadow of the nine-point mean at j divided by 9, needs d_{j+1};
 * what a row gets from it is a sum of three neighbours, which vectorises. */
void hand_seidel(int n, int nt, double *a, double *a_b, double *s, double s_b)
{
    double *d = array((size_t)n + 1);

    *s = seidel(n, nt, a);
    add_squares(n * n, a, s_b, a_b);
    for (int t = 0; t < nt; t++)
        for (int i = n - 2; i >= 1; i--) {
            double *above = a_b + (i - 1) * n, *row = a_b + i * n, *below = a_b + (i + 1) * n;
            d[0] = d[n - 1] = 0.0;
            for (int j = n - 2; j >= 1; j--)
                d[j] = (row[j] + d[j + 1]) * (1.0 / 9.0);
            for (int j = 1; j < n - 1; j++) {
                double sum = d[j - 1] + d[j] + d[j + 1];
                above[j] += sum;
                below[j] += sum;
                row[j] = d[j - 1] + d[j];
            }
            above[0] += d[1];
            row[0] += d[1];
            below[0] += d[1];
            above[n - 1] += d[n - 2];
            row[n - 1] += d[n - 2];
            below[n - 1] += d[n - 2];
        }
    free(d);
}

/* With c_b = 2 s_b c:  a_b += c_b b^T (b transposed first, so that rows are walked),  b_b += a^T c_b. */
void hand_gemm_sq(int n, double *a, double *a_b, double *b, double *b_b, double *c, double *s,
                  double s_b)
{
    double *bt = array((size_t)n * n), *c_b = array((size_t)n * n);

    *s = gemm_sq(n, a, b, c);
    add_squares(n * n, c, s_b, c_b);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            bt[j * n + k] = b[k * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a_b[i * n + k] += c_b[i * n + j] * bt[j * n + k];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                b_b[k * n + j] += a[i * n + k] * c_b[i * n + j];
    free(c_b);
    free(bt);
}

/* Lorenz: the right-hand side at a point, and its transpose there. */
typedef struct {
    double x, y, z;
} Point;

typedef struct {
    double sigma, rho, beta;
} Parameters;

static Point slope(Parameters p, Point at)
{
    return (Point){p.sigma * (at.y - at.x), at.x * (p.rho - at.z) - at.y, at.x * at.y - p.beta * at.z};
}

static Point reverse_slope(Parameters p, Point at, Point k_b, Parameters *p_b)
{
    p_b->sigma += (at.y - at.x) * k_b.x;
    p_b->rho += at.x * k_b.y;
    p_b->beta -= at.z * k_b.z;
    return (Point){-p.sigma * k_b.x + (p.rho - at.z) * k_b.y + at.y * k_b.z,
                   p.sigma * k_b.x - k_b.y + at.x * k_b.z, -at.x * k_b.y - p.beta * k_b.z};
}

/* a + h b */
static Point along(Point a, double h, Point b)
{
    return (Point){a.x + h * b.x, a.y + h * b.y, a.z + h * b.z};
}

static Point reverse_step(Parameters p, double dt, Point start, Point end_b, Parameters *p_b)
{
    Point k1 = slope(p, start), s2 = along(start, 0.5 * dt, k1);
    Point k2 = slope(p, s2), s3 = along(start, 0.5 * dt, k2);
    Point k3 = slope(p, s3), s4 = along(start, dt, k3);
    Point zero = {0.0, 0.0, 0.0}, sixth = along(zero, dt / 6.0, end_b), start_b = end_b;
    Point s4_b = reverse_slope(p, s4, sixth, p_b);
    Point s3_b = reverse_slope(p, s3, along(along(sixth, 1.0, sixth), dt, s4_b), p_b);
    Point s2_b = reverse_slope(p, s2, along(along(sixth, 1.0, sixth), 0.5 * dt, s3_b), p_b);
    Point s1_b = reverse_slope(p, start, along(sixth, 0.5 * dt, s2_b), p_b);

    start_b = along(along(start_b, 1.0, s4_b), 1.0, s3_b);
    return along(along(start_b, 1.0, s2_b), 1.0, s1_b);
}

void hand_lorenz(int nsteps, double dt, double *p, double *p_b, double *r, double r_b)
{
    Point *states = malloc(sizeof(Point) * ((size_t)nsteps + 1));
    Parameters parameters = {p[3], p[4], p[5]}, parameters_b = {0.0, 0.0, 0.0};
    Point at = {p[0], p[1], p[2]}, at_b;

    if (!states)
        abort();
    for (int step = 0; step < nsteps; step++) {
        Point k1 = slope(parameters, at), k2 = slope(parameters, along(at, 0.5 * dt, k1));
        Point k3 = slope(parameters, along(at, 0.5 * dt, k2));
        Point k4 = slope(parameters, along(at, dt, k3));
        states[step] = at;
        at.x += dt / 6.0 * (k1.x + 2.0 * k2.x + 2.0 * k3.x + k4.x);
        at.y += dt / 6.0 * (k1.y + 2.0 * k2.y + 2.0 * k3.y + k4.y);
        at.z += dt / 6.0 * (k1.z + 2.0 * k2.z + 2.0 * k3.z + k4.z);
    }
    *r = at.x * at.x + at.y * at.y + at.z * at.z;
    at_b = (Point){2.0 * r_b * at.x, 2.0 * r_b * at.y, 2.0 * r_b * at.z};
    for (int step = nsteps - 1; step >= 0; step--)
        at_b = reverse_step(parameters, dt, states[step], at_b, &parameters_b);
    p_b[0] += at_b.x;
    p_b[1] += at_b.y;
    p_b[2] += at_b.z;
    p_b[3] += parameters_b.sigma;
    p_b[4] += parameters_b.rho;
    p_b[5] += parameters_b.beta;
    free(states);
}

/* Value and gradient in one pass, the exponential used twice. */
void hand_pointwise(int n, double *x, double *x_b, double *s, double s_b)
{
    *s = 0.0;
    for (int i = 0; i < n; i++) {
        double e = exp(sin(x[i]));
        *s += e * x[i];
        x_b[i] += s_b * e * (1.0 + x[i] * cos(x[i]));
    }
}
