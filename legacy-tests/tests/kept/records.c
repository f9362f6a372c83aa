/* A record with a gap at its end, that a loop overwrites. */
#include <math.h>

struct pair {
    double a, b;
    int k;
};

double march(int n, int m, const double *restrict x) {
    struct pair p = {1, 0.5, 0};
    double y = 0;
    for (int k = 0; k < m; k++) {
        p.a = p.a*x[k % n] + 1;
        if (p.k % 3 == 1) p.b = p.b*sin(p.a) + x[0];
        p.k += 1 + (p.a > 1.5);
        y += p.a*p.b*p.b;
    }
    return y;
}
