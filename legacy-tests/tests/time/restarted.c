/* A march that starts where the last one ended, if at all, and may end early. */
#include <math.h>

struct ocean {
    double heat[4];
    double salt;
};

static void step(struct ocean *o, int k)
{
    double t = o->heat[0] * o->heat[1];

    o->heat[0] += 0.1 * (o->heat[1] - o->heat[2] * o->salt);
    o->heat[1] += 0.05 * t;
    o->heat[2] = o->heat[2] * cos(0.1 * o->heat[0]) + 0.01 * k;
    o->heat[3] += o->heat[2] * o->heat[2];
    o->salt *= 1.0 - 0.01 * o->heat[1];
}

double march(int from, int to, int warm, double most, const double *x, struct ocean *o)
{
    if (!warm) {
        for (int i = 0; i < 4; i++)
            o->heat[i] = x[i];
        o->salt = 1.0;
    }
    if (to >= 0) {
#pragma ad checkpoint binomial(3)
        for (int k = from; k < to; k += 2) {
            step(o, k);
            if (o->heat[3] > most)
                break;
            o->salt += 0.001 * x[k % 4];
        }
    }
    return o->heat[3] * o->salt + o->heat[0] * x[1];
}
