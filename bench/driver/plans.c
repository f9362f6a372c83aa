/* Times the adjoint of one kernel, planned in some way.
 *
 *     plans SECONDS SIZE...
 *
 * Compiled with -DKERNEL_name for the kernel whose adjoint is linked, and with -DGENERATED_FORTRAN if
 * that is in Fortran.  Runs it again on fresh data until SECONDS of processor time are spent or nine
 * times, and prints the least of its processor times in seconds, how many KiB the peak memory of the
 * process rose above what arrays and shadows take, and a number that all plans must give alike.
 *
 * Memory that is released goes back to the system at once: each run's tapes are fresh, as those of the
 * first gradient of a program are.  (glibc would hand blocks below 32 MiB from run to run.) */
#define _POSIX_C_SOURCE 200809L
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#ifdef GENERATED_FORTRAN
#define BY(x) &(x)
#define ADJOINT(name) name##_b_
#else
#define BY(x) x
#define ADJOINT(name) name##_b
#endif

enum { MOST_RUNS = 9, MOST_ARRAYS = 24 };

static double *arrays[MOST_ARRAYS];
static size_t counts[MOST_ARRAYS];
static int used;
static long before;
static double started, spent;

/* The next array, `low + span * noise`; the same memory and contents in each run. */
static double *filled(size_t count, double low, double span)
{
    int a = used++;

    if (a >= MOST_ARRAYS)
        abort();
    if (!arrays[a])
        arrays[a] = malloc((count ? count : 1) * sizeof(double));
    if (!arrays[a])
        abort();
    counts[a] = count;
    for (size_t k = 0; k < count; k++) {
        unsigned long long z = (unsigned long long)(a + 1) * 0x9E3779B97F4A7C15u + k * 0xD1B54A32D192ED03u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        arrays[a][k] = low + span * ((double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0);
    }
    return arrays[a];
}

static long peak_memory(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static double processor_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1.0e-9 * (double)t.tv_nsec;
}

static void begin(void)
{
    if (before == 0)
        before = peak_memory();
    started = processor_time();
}

static void end(void)
{
    spent = processor_time() - started;
}

#define CALL(name, ...) (begin(), ADJOINT(name)(__VA_ARGS__), end())

/* The pair of a name: NAME and NAME_b. */
#define PAIR(name, count, low, span, seed_low, seed_span) \
    double *name = filled(count, low, span), *name##_b = filled(count, seed_low, seed_span)
#define IN(name, count, low, span) PAIR(name, count, low, span, 0.0, 0.0)
#define OUT(name, count) PAIR(name, count, 0.0, 0.0, -1.0, 2.0)
#define INOUT(name, count, low, span) PAIR(name, count, low, span, -1.0, 2.0)

typedef size_t N;

#if defined KERNEL_k2mm
void ADJOINT(k2mm)();
static void run(int *s)
{
    int ni = s[0], nj = s[1], nk = s[2], nl = s[3];
    double alpha = 1.5, beta = 1.2;
    IN(a, (N)ni * nk, 0.1, 0.9);
    IN(b, (N)nk * nj, 0.1, 0.9);
    IN(c, (N)nj * nl, 0.1, 0.9);
    INOUT(d, (N)ni * nl, 0.1, 0.9);
    CALL(k2mm, BY(ni), BY(nj), BY(nk), BY(nl), BY(alpha), BY(beta), a, a_b, b, b_b, c, c_b, d, d_b);
}
#elif defined KERNEL_k3mm
void ADJOINT(k3mm)();
static void run(int *s)
{
    int ni = s[0], nj = s[1], nk = s[2], nl = s[3], nm = s[4];
    IN(a, (N)ni * nk, 0.1, 0.9);
    IN(b, (N)nk * nj, 0.1, 0.9);
    IN(c, (N)nj * nm, 0.1, 0.9);
    IN(d, (N)nm * nl, 0.1, 0.9);
    OUT(g, (N)ni * nl);
    CALL(k3mm, BY(ni), BY(nj), BY(nk), BY(nl), BY(nm), a, a_b, b, b_b, c, c_b, d, d_b, g, g_b);
}
#elif defined KERNEL_atax
void ADJOINT(atax)();
static void run(int *s)
{
    int m = s[0], n = s[1];
    IN(a, (N)m * n, 0.1, 0.9);
    IN(x, (N)n, 0.1, 0.9);
    OUT(y, (N)n);
    CALL(atax, BY(m), BY(n), a, a_b, x, x_b, y, y_b);
}
#elif defined KERNEL_durbin
void ADJOINT(durbin)();
static void run(int *s)
{
    int n = s[0];
    IN(r, (N)n, 0.0, 0.001);
    OUT(y, (N)n);
    CALL(durbin, BY(n), r, r_b, y, y_b);
}
#elif defined KERNEL_gramschmidt
void ADJOINT(gramschmidt)();
static void run(int *s)
{
    int m = s[0], n = s[1];
    IN(a, (N)m * n, 0.1, 0.9);
    OUT(q, (N)m * n);
    OUT(r, (N)n * n);
    CALL(gramschmidt, BY(m), BY(n), a, a_b, q, q_b, r, r_b);
}
#elif defined KERNEL_hdiff
void ADJOINT(hdiff)();
static void run(int *s)
{
    int ni = s[0], nj = s[1], nk = s[2];
    IN(x, (N)(ni + 4) * (nj + 4) * nk, 0.1, 0.9);
    OUT(out, (N)ni * nj * nk);
    IN(c, (N)ni * nj * nk, 0.1, 0.9);
    CALL(hdiff, BY(ni), BY(nj), BY(nk), x, x_b, out, out_b, c, c_b);
}
#elif defined KERNEL_vadv
void ADJOINT(vadv)();
static void run(int *s)
{
    int ni = s[0], nj = s[1], nk = s[2];
    N n = (N)ni * nj * nk;
    INOUT(tendency, n, 0.1, 0.9);
    IN(ustage, n, 0.1, 0.9);
    IN(wcon, (N)(ni + 1) * nj * nk, 0.001, 0.1);
    IN(upos, n, 0.1, 0.9);
    IN(utens, n, 0.1, 0.9);
    CALL(vadv, BY(ni), BY(nj), BY(nk), tendency, tendency_b, ustage, ustage_b, wcon, wcon_b, upos,
         upos_b, utens, utens_b);
}
#elif defined KERNEL_cavity_flow
void ADJOINT(cavity_flow)();
static void run(int *s)
{
    int nx = s[0], ny = s[1], nt = s[2], nit = s[3];
    double dx = 2.0 / (nx - 1), dy = 2.0 / (ny - 1), dt = 0.1 * dx * dy / 4.0, rho = 1.0, nu = 0.1;
    N n = (N)nx * ny;
    INOUT(u, n, 0.0, 0.0);
    INOUT(v, n, 0.0, 0.0);
    INOUT(p, n, 0.0, 0.0);
    CALL(cavity_flow, BY(nx), BY(ny), BY(nt), BY(nit), BY(dt), BY(dx), BY(dy), BY(rho), BY(nu), u,
         u_b, v, v_b, p, p_b);
}
#elif defined KERNEL_channel_flow
void ADJOINT(channel_flow)();
static void run(int *s)
{
    int nx = s[0], ny = s[1], nit = s[2], steps = 0;
    double dx = 2.0 / (nx - 1), dy = 2.0 / (ny - 1), dt = 0.1 * dx * dy / 4.0, rho = 1.0, nu = 0.1;
    double force = 1.0, least = 0.02;
    N n = (N)nx * ny;
    INOUT(u, n, 0.0, 0.0);
    INOUT(v, n, 0.0, 0.0);
    INOUT(p, n, 1.0, 0.0);
    CALL(channel_flow, BY(nx), BY(ny), BY(nit), BY(dt), BY(dx), BY(dy), BY(rho), BY(nu), BY(force),
         BY(least), u, u_b, v, v_b, p, p_b, &steps);
}
#elif defined KERNEL_nbody
void ADJOINT(nbody)();
static void run(int *s)
{
    int n = s[0], nt = s[1];
    double dt = 0.001, g = 1.0, eps = 0.1;
    IN(mass, (N)n, 0.01, 0.01);
    INOUT(pos, (N)3 * n, 0.0, 1.0);
    INOUT(vel, (N)3 * n, 0.0, 1.0);
    OUT(kinetic, (N)nt + 1);
    OUT(potential, (N)nt + 1);
    CALL(nbody, BY(n), BY(nt), BY(dt), BY(g), BY(eps), mass, mass_b, pos, pos_b, vel, vel_b, kinetic,
         kinetic_b, potential, potential_b);
}
#elif defined KERNEL_mlp
void ADJOINT(mlp)();
static void run(int *s)
{
    int n = s[0], cin = s[1], s0 = s[2], s1 = s[3], s2 = s[4];
    IN(x, (N)n * cin, 0.1, 0.9);
    IN(w1, (N)cin * s0, -0.1, 0.2);
    IN(b1, (N)s0, -0.1, 0.2);
    IN(w2, (N)s0 * s1, -0.1, 0.2);
    IN(b2, (N)s1, -0.1, 0.2);
    IN(w3, (N)s1 * s2, -0.1, 0.2);
    IN(b3, (N)s2, -0.1, 0.2);
    OUT(out, (N)n * s2);
    CALL(mlp, BY(n), BY(cin), BY(s0), BY(s1), BY(s2), x, x_b, w1, w1_b, b1, b1_b, w2, w2_b, b2, b2_b,
         w3, w3_b, b3, b3_b, out, out_b);
}
#elif defined KERNEL_lenet
void ADJOINT(lenet)();
static void run(int *s)
{
    int n = s[0], h = s[1], p1 = s[2], p2 = s[3];
    IN(x, (N)n * h * h, 0.1, 0.9);
    IN(w1, (N)5 * 5 * 6, -0.1, 0.2);
    IN(b1, (N)6, -0.1, 0.2);
    IN(w2, (N)5 * 5 * 6 * 16, -0.1, 0.2);
    IN(b2, (N)16, -0.1, 0.2);
    IN(w3, (N)p2 * p2 * 16 * 120, -0.1, 0.2);
    IN(b3, (N)120, -0.1, 0.2);
    IN(w4, (N)120 * 84, -0.1, 0.2);
    IN(b4, (N)84, -0.1, 0.2);
    IN(w5, (N)84 * 10, -0.1, 0.2);
    IN(b5, (N)10, -0.1, 0.2);
    OUT(out, (N)n * 10);
    CALL(lenet, BY(n), BY(h), BY(p1), BY(p2), x, x_b, w1, w1_b, b1, b1_b, w2, w2_b, b2, b2_b, w3, w3_b,
         b3, b3_b, w4, w4_b, b4, b4_b, w5, w5_b, b5, b5_b, out, out_b);
}
#elif defined KERNEL_contour_integral
void ADJOINT(contour_integral)();
static void run(int *s)
{
    int nr = s[0], nm = s[1], np = s[2];
    double *pts = filled((N)2 * np, 0.5, 1.0);
    IN(h, (N)6 * nr * nr, 0.0, 0.05);
    for (int i = 0; i < nr; i++)
        h[2 * ((N)nr * nr + (N)i * nr + i)] += 8.0;
    IN(y, (N)2 * nr * nm, 0.1, 0.9);
    OUT(p0, (N)2 * nr * nm);
    OUT(p1, (N)2 * nr * nm);
    CALL(contour_integral, BY(nr), BY(nm), BY(np), pts, h, h_b, y, y_b, p0, p0_b, p1, p1_b);
}
#elif defined KERNEL_burgers
/* The work array has no shadow, and C returns the value. */
void ADJOINT(burgers)();
static void run(int *s)
{
    int n = s[0], nt = s[1];
    double *value = filled(1, 0.0, 0.0), *seed = filled(1, 1.0, 0.0);
    IN(u, (N)n * n, 0.1, 0.9);
    double *v = filled((N)n * n, 0.0, 0.0);
#ifdef GENERATED_FORTRAN
    CALL(burgers, &n, &nt, u, u_b, v, value, seed);
#else
    CALL(burgers, n, nt, u, u_b, v, value, *seed);
#endif
}
#else
#error "which kernel?"
#endif

static double sum_of_all(void)
{
    double sum = 0.0;

    for (int a = 0; a < used; a++)
        for (size_t k = 0; k < counts[a]; k++)
            sum += fabs(arrays[a][k]);
    return sum;
}

int main(int count, char **words)
{
    int sizes[8] = {0};
    double least = HUGE_VAL, limit = count > 1 ? atof(words[1]) : 0.0, total = 0.0;
    long peak = 0;

#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
#endif
    for (int k = 2; k < count && k < 10; k++)
        sizes[k - 2] = atoi(words[k]);
    for (int runs = 0; runs < MOST_RUNS && (runs < 2 || total < limit); runs++) {
        used = 0;
        run(sizes);
        peak = peak_memory();
        least = fmin(least, spent);
        total += spent;
    }
    printf("%.9e %ld %.15e\n", least, peak - before, sum_of_all());
    return 0;
}
