#include <math.h>
typedef struct { double re, im; } cplx;
static cplx mul(cplx a, cplx b) { cplx r = { a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re }; return r; }
static double norm(const cplx *z) { return sqrt(z->re*z->re + z->im*z->im); }
double top(const double *x)
{
    cplx z = { x[0], x[1] }, c = { x[2], x[3] };
    int k = 0;
    for (; k < 8; k++) {
        z = mul(z, z);
        z.re += c.re; z.im += c.im;
        if (norm(&z) > 4.0) break;
    }
    return norm(&z)*k;
}
