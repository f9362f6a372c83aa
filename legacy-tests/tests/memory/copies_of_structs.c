#include <math.h>
#include <string.h>
struct point { double x, y; int tag; };
struct body { struct point at; double v[3]; };
double head(const double *x) {
    struct body a, b, all[2];
    double s = 0.0, w[6];
    memset(&a, 0, sizeof a);
    a.at.x = x[0] * x[1];
    a.at.y = sin(x[1]);
    memcpy(a.v, x, sizeof a.v);
    memcpy(&b, &a, sizeof b);
    b.at.x *= a.at.y;
    memcpy(&all[1], &b, sizeof(struct body));
    memset(all[1].v, 0, sizeof all[1].v);
    all[0] = a;
    memcpy(w, x, 3 * sizeof(double));
    memmove(w + 1, w, 4 * sizeof(double));
    memset(w + 4, 0, 2 * sizeof(double));
    memcpy(&all[0].at, &all[1].at, sizeof(struct point));
    for (int i = 0; i < 2; i++) s += all[i].at.x * all[i].at.y + all[i].v[0] * all[i].v[2];
    for (int i = 0; i < 6; i++) s += w[i] * w[5 - i] * x[0];
    return s;
}
