/* How each kernel and its adjoints, by hand and as generated, are called.
 *
 * Compiled as it is, kernels and generated procedures are C functions; with -DGENERATED_FORTRAN they
 * are Fortran subroutines with their usual external names, all arguments by reference.  The generated
 * ones are weak symbols: what is not there need not be linked. */
#include "hand.h"
#include "run.h"

typedef double *A; /* an array, or a scalar by reference */

#ifdef GENERATED_FORTRAN
typedef const int *I;
typedef const double *R;
typedef double *S; /* the shadow of a scalar result */
#define PRIMAL_NAME(kernel) kernel##_
#define NAME(kernel) kernel##_b_
#define RESULT_OF(kernel, result, ...) kernel##_(__VA_ARGS__, (result).value)
#define YIELDS(kernel, ...) extern void kernel##_(__VA_ARGS__, A)
#define BY(scalar) (&(scalar))
#define SEED(pair) ((double *)(pair).shadow)
#else
typedef int I;
typedef double R;
typedef double S;
#define PRIMAL_NAME(kernel) kernel
#define NAME(kernel) kernel##_b
#define RESULT_OF(kernel, result, ...) (*(double *)(result).value = kernel(__VA_ARGS__))
#define YIELDS(kernel, ...) extern double kernel(__VA_ARGS__)
#define BY(scalar) (scalar)
#define SEED(pair) (*(double *)(pair).shadow)
#endif

#define DEFINES(kernel, ...) extern void PRIMAL_NAME(kernel)(__VA_ARGS__)
#define GENERATES(kernel, ...) extern void NAME(kernel)(__VA_ARGS__) __attribute__((weak))
#define BOTH(pair) (pair).value, (pair).shadow

DEFINES(jacobi_1d, I, I, A, A);
DEFINES(jacobi_2d, I, I, A, A);
DEFINES(heat_3d, I, I, A, A);
DEFINES(seidel_2d, I, I, A);
DEFINES(fdtd_2d, I, I, I, A, A, A, A);
DEFINES(gemm, I, I, I, R, R, A, A, A);
DEFINES(atax, I, I, A, A, A);
DEFINES(bicg, I, I, A, A, A, A, A);
DEFINES(mvt, I, A, A, A, A, A);
DEFINES(gesummv, I, R, R, A, A, A, A);
DEFINES(go_fast, I, A, A);
DEFINES(trisolv, I, A, A, A);
DEFINES(cholesky, I, A);
DEFINES(lu, I, A);
YIELDS(heat, I, I, A, A);
YIELDS(burgers, I, I, A, A);
YIELDS(seidel, I, I, A);
YIELDS(gemm_sq, I, A, A, A);
YIELDS(lorenz, I, R, A);
YIELDS(pointwise, I, A);

GENERATES(jacobi_1d, I, I, A, A, A, A);
GENERATES(jacobi_2d, I, I, A, A, A, A);
GENERATES(heat_3d, I, I, A, A, A, A);
GENERATES(seidel_2d, I, I, A, A);
GENERATES(fdtd_2d, I, I, I, A, A, A, A, A, A, A, A);
GENERATES(gemm, I, I, I, R, R, A, A, A, A, A, A);
GENERATES(atax, I, I, A, A, A, A, A, A);
GENERATES(bicg, I, I, A, A, A, A, A, A, A, A, A, A);
GENERATES(mvt, I, A, A, A, A, A, A, A, A, A, A);
GENERATES(gesummv, I, R, R, A, A, A, A, A, A, A, A);
GENERATES(go_fast, I, A, A, A, A);
GENERATES(trisolv, I, A, A, A, A, A, A);
GENERATES(cholesky, I, A, A);
GENERATES(lu, I, A, A);
GENERATES(heat, I, I, A, A, A, A, S);
GENERATES(burgers, I, I, A, A, A, A, S);
GENERATES(seidel, I, I, A, A, A, S);
GENERATES(gemm_sq, I, A, A, A, A, A, A, S);
GENERATES(lorenz, I, R, A, A, A, S);
GENERATES(pointwise, I, A, A, A, S);

static void run_jacobi_1d(Run *r)
{
    int tsteps = r->size[0], n = r->size[1];
    Pair a = array(r, STATE, n), b = array(r, STATE, n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(jacobi_1d)(BY(tsteps), BY(n), a.value, b.value);
        break;
    case HAND:
        hand_jacobi_1d(tsteps, n, BOTH(a), BOTH(b));
        break;
    case GENERATED:
        NAME(jacobi_1d)(BY(tsteps), BY(n), BOTH(a), BOTH(b));
        break;
    }
    end(r);
}

static void run_jacobi_2d(Run *r)
{
    int tsteps = r->size[0], n = r->size[1];
    Pair a = array(r, STATE, n * n), b = array(r, STATE, n * n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(jacobi_2d)(BY(tsteps), BY(n), a.value, b.value);
        break;
    case HAND:
        hand_jacobi_2d(tsteps, n, BOTH(a), BOTH(b));
        break;
    case GENERATED:
        NAME(jacobi_2d)(BY(tsteps), BY(n), BOTH(a), BOTH(b));
        break;
    }
    end(r);
}

static void run_heat_3d(Run *r)
{
    int tsteps = r->size[0], n = r->size[1];
    Pair a = array(r, STATE, n * n * n), b = array(r, STATE, n * n * n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(heat_3d)(BY(tsteps), BY(n), a.value, b.value);
        break;
    case HAND:
        hand_heat_3d(tsteps, n, BOTH(a), BOTH(b));
        break;
    case GENERATED:
        NAME(heat_3d)(BY(tsteps), BY(n), BOTH(a), BOTH(b));
        break;
    }
    end(r);
}

static void run_seidel_2d(Run *r)
{
    int tsteps = r->size[0], n = r->size[1];
    Pair a = array(r, STATE, n * n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(seidel_2d)(BY(tsteps), BY(n), a.value);
        break;
    case HAND:
        hand_seidel_2d(tsteps, n, BOTH(a));
        break;
    case GENERATED:
        NAME(seidel_2d)(BY(tsteps), BY(n), BOTH(a));
        break;
    }
    end(r);
}

static void run_fdtd_2d(Run *r)
{
    int tmax = r->size[0], nx = r->size[1], ny = r->size[2];
    Pair ex = array(r, STATE, nx * ny), ey = array(r, STATE, nx * ny);
    Pair hz = array(r, STATE, nx * ny), fict = array(r, INPUT, tmax);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(fdtd_2d)(BY(tmax), BY(nx), BY(ny), ex.value, ey.value, hz.value, fict.value);
        break;
    case HAND:
        hand_fdtd_2d(tmax, nx, ny, BOTH(ex), BOTH(ey), BOTH(hz), BOTH(fict));
        break;
    case GENERATED:
        NAME(fdtd_2d)(BY(tmax), BY(nx), BY(ny), BOTH(ex), BOTH(ey), BOTH(hz), BOTH(fict));
        break;
    }
    end(r);
}

static void run_gemm(Run *r)
{
    int ni = r->size[0], nj = r->size[1], nk = r->size[2];
    double alpha = 1.5, beta = 1.2;
    Pair c = array(r, STATE, ni * nj), a = array(r, INPUT, ni * nk), b = array(r, INPUT, nk * nj);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(gemm)(BY(ni), BY(nj), BY(nk), BY(alpha), BY(beta), c.value, a.value, b.value);
        break;
    case HAND:
        hand_gemm(ni, nj, nk, alpha, beta, BOTH(c), BOTH(a), BOTH(b));
        break;
    case GENERATED:
        NAME(gemm)(BY(ni), BY(nj), BY(nk), BY(alpha), BY(beta), BOTH(c), BOTH(a), BOTH(b));
        break;
    }
    end(r);
}

static void run_atax(Run *r)
{
    int m = r->size[0], n = r->size[1];
    Pair a = array(r, INPUT, m * n), x = array(r, INPUT, n), y = array(r, OUTPUT, n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(atax)(BY(m), BY(n), a.value, x.value, y.value);
        break;
    case HAND:
        hand_atax(m, n, BOTH(a), BOTH(x), BOTH(y));
        break;
    case GENERATED:
        NAME(atax)(BY(m), BY(n), BOTH(a), BOTH(x), BOTH(y));
        break;
    }
    end(r);
}

static void run_bicg(Run *r)
{
    int n = r->size[0], m = r->size[1];
    Pair a = array(r, INPUT, n * m), p = array(r, INPUT, m), v = array(r, INPUT, n);
    Pair s = array(r, OUTPUT, m), q = array(r, OUTPUT, n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(bicg)(BY(n), BY(m), a.value, p.value, v.value, s.value, q.value);
        break;
    case HAND:
        hand_bicg(n, m, BOTH(a), BOTH(p), BOTH(v), BOTH(s), BOTH(q));
        break;
    case GENERATED:
        NAME(bicg)(BY(n), BY(m), BOTH(a), BOTH(p), BOTH(v), BOTH(s), BOTH(q));
        break;
    }
    end(r);
}

static void run_mvt(Run *r)
{
    int n = r->size[0];
    Pair x1 = array(r, STATE, n), x2 = array(r, STATE, n), y1 = array(r, INPUT, n);
    Pair y2 = array(r, INPUT, n), a = array(r, INPUT, n * n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(mvt)(BY(n), x1.value, x2.value, y1.value, y2.value, a.value);
        break;
    case HAND:
        hand_mvt(n, BOTH(x1), BOTH(x2), BOTH(y1), BOTH(y2), BOTH(a));
        break;
    case GENERATED:
        NAME(mvt)(BY(n), BOTH(x1), BOTH(x2), BOTH(y1), BOTH(y2), BOTH(a));
        break;
    }
    end(r);
}

static void run_gesummv(Run *r)
{
    int n = r->size[0];
    double alpha = 1.5, beta = 1.2;
    Pair a = array(r, INPUT, n * n), b = array(r, INPUT, n * n), x = array(r, INPUT, n);
    Pair y = array(r, OUTPUT, n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(gesummv)(BY(n), BY(alpha), BY(beta), a.value, b.value, x.value, y.value);
        break;
    case HAND:
        hand_gesummv(n, alpha, beta, BOTH(a), BOTH(b), BOTH(x), BOTH(y));
        break;
    case GENERATED:
        NAME(gesummv)(BY(n), BY(alpha), BY(beta), BOTH(a), BOTH(b), BOTH(x), BOTH(y));
        break;
    }
    end(r);
}

static void run_go_fast(Run *r)
{
    int n = r->size[0];
    Pair a = array(r, INPUT, n * n), out = array(r, OUTPUT, n * n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(go_fast)(BY(n), a.value, out.value);
        break;
    case HAND:
        hand_go_fast(n, BOTH(a), BOTH(out));
        break;
    case GENERATED:
        NAME(go_fast)(BY(n), BOTH(a), BOTH(out));
        break;
    }
    end(r);
}

static void run_trisolv(Run *r)
{
    int n = r->size[0];
    Pair l = dominant(r, INPUT, n), x = array(r, OUTPUT, n), b = array(r, INPUT, n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(trisolv)(BY(n), l.value, x.value, b.value);
        break;
    case HAND:
        hand_trisolv(n, BOTH(l), BOTH(x), BOTH(b));
        break;
    case GENERATED:
        NAME(trisolv)(BY(n), BOTH(l), BOTH(x), BOTH(b));
        break;
    }
    end(r);
}

static void run_cholesky(Run *r)
{
    int n = r->size[0];
    Pair a = dominant(r, STATE, n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(cholesky)(BY(n), a.value);
        break;
    case HAND:
        hand_cholesky(n, BOTH(a));
        break;
    case GENERATED:
        NAME(cholesky)(BY(n), BOTH(a));
        break;
    }
    end(r);
}

static void run_lu(Run *r)
{
    int n = r->size[0];
    Pair a = dominant(r, STATE, n);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        PRIMAL_NAME(lu)(BY(n), a.value);
        break;
    case HAND:
        hand_lu(n, BOTH(a));
        break;
    case GENERATED:
        NAME(lu)(BY(n), BOTH(a));
        break;
    }
    end(r);
}

static void run_heat(Run *r)
{
    int n = r->size[0], nt = r->size[1];
    Pair u = array(r, START, n * n), v = array(r, WORK, n * n), s = array(r, RESULT, 1);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        RESULT_OF(heat, s, BY(n), BY(nt), u.value, v.value);
        break;
    case HAND:
        hand_heat(n, nt, BOTH(u), v.value, s.value, *(double *)s.shadow);
        break;
    case GENERATED:
        NAME(heat)(BY(n), BY(nt), BOTH(u), v.value, s.value, SEED(s));
        break;
    }
    end(r);
}

static void run_burgers(Run *r)
{
    int n = r->size[0], nt = r->size[1];
    Pair u = array(r, START, n * n), v = array(r, WORK, n * n), s = array(r, RESULT, 1);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        RESULT_OF(burgers, s, BY(n), BY(nt), u.value, v.value);
        break;
    case HAND:
        hand_burgers(n, nt, BOTH(u), v.value, s.value, *(double *)s.shadow);
        break;
    case GENERATED:
        NAME(burgers)(BY(n), BY(nt), BOTH(u), v.value, s.value, SEED(s));
        break;
    }
    end(r);
}

static void run_seidel(Run *r)
{
    int n = r->size[0], nt = r->size[1];
    Pair a = array(r, START, n * n), s = array(r, RESULT, 1);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        RESULT_OF(seidel, s, BY(n), BY(nt), a.value);
        break;
    case HAND:
        hand_seidel(n, nt, BOTH(a), s.value, *(double *)s.shadow);
        break;
    case GENERATED:
        NAME(seidel)(BY(n), BY(nt), BOTH(a), s.value, SEED(s));
        break;
    }
    end(r);
}

static void run_gemm_sq(Run *r)
{
    int n = r->size[0];
    Pair a = array(r, INPUT, n * n), b = array(r, INPUT, n * n), c = array(r, WORK, n * n);
    Pair s = array(r, RESULT, 1);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        RESULT_OF(gemm_sq, s, BY(n), a.value, b.value, c.value);
        break;
    case HAND:
        hand_gemm_sq(n, BOTH(a), BOTH(b), c.value, s.value, *(double *)s.shadow);
        break;
    case GENERATED:
        NAME(gemm_sq)(BY(n), BOTH(a), BOTH(b), c.value, s.value, SEED(s));
        break;
    }
    end(r);
}

static void run_lorenz(Run *r)
{
    int nsteps = r->size[0];
    double dt = 0.01;
    Pair p = array(r, INPUT, 6), v = array(r, RESULT, 1);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        RESULT_OF(lorenz, v, BY(nsteps), BY(dt), p.value);
        break;
    case HAND:
        hand_lorenz(nsteps, dt, BOTH(p), v.value, *(double *)v.shadow);
        break;
    case GENERATED:
        NAME(lorenz)(BY(nsteps), BY(dt), BOTH(p), v.value, SEED(v));
        break;
    }
    end(r);
}

static void run_pointwise(Run *r)
{
    int n = r->size[0];
    Pair x = array(r, INPUT, n), s = array(r, RESULT, 1);

    begin(r);
    switch (r->mode) {
    case PRIMAL:
        RESULT_OF(pointwise, s, BY(n), x.value);
        break;
    case HAND:
        hand_pointwise(n, BOTH(x), s.value, *(double *)s.shadow);
        break;
    case GENERATED:
        NAME(pointwise)(BY(n), BOTH(x), s.value, SEED(s));
        break;
    }
    end(r);
}

#define KERNEL(kernel, ...) {#kernel, run_##kernel, (void (*)(void))NAME(kernel), {__VA_ARGS__}}

const Kernel kernels[] = {
    KERNEL(jacobi_1d, 5, 13),
    KERNEL(jacobi_2d, 5, 9),
    KERNEL(heat_3d, 5, 7),
    KERNEL(seidel_2d, 5, 9),
    KERNEL(fdtd_2d, 4, 9, 7),
    KERNEL(gemm, 5, 7, 3),
    KERNEL(atax, 7, 9),
    KERNEL(bicg, 7, 9),
    KERNEL(mvt, 9),
    KERNEL(gesummv, 9),
    KERNEL(go_fast, 9),
    KERNEL(trisolv, 9),
    KERNEL(cholesky, 9),
    KERNEL(lu, 9),
    KERNEL(heat, 9, 6),
    KERNEL(burgers, 9, 6),
    KERNEL(seidel, 9, 4),
    KERNEL(gemm_sq, 7),
    KERNEL(lorenz, 20),
    KERNEL(pointwise, 13),
    {0},
};
