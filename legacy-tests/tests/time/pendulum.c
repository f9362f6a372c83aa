#include <math.h>

struct state {
    double angle, speed;
    double trail[3];
};

static void step(struct state *s, double dt)
{
    double pull = -sin(s->angle) - 0.1 * s->speed * fabs(s->speed);
    s->speed += dt * pull;
    s->angle += dt * s->speed;
    s->trail[2] = s->trail[1];
    s->trail[1] = s->trail[0];
    s->trail[0] = s->angle * s->speed;
}

double swing(double angle, double speed, double dt, int steps)
{
    struct state s = {angle, speed, {0, 0, 0}};
    double sum = 0;
#pragma ad checkpoint binomial(4)
    for (int k = 0; k < steps; ++k) {
        step(&s, dt);
        if (s.angle > 100.0)
            break;
        sum += s.trail[2] * s.trail[2];
    }
    return sum + s.angle * s.speed;
}

/* A C loop without a counter. */
double relax(int n, double *u, double limit)
{
    double rest = 1.0, s = 0.0;
    int k = 0;
    /* $AD checkpoint binomial(6) */
    while (rest > limit && k < 40) {
        rest = 0.0;
        for (int i = 1; i < n; i++) {
            double d = 0.5 * (u[i - 1] - u[i]);
            u[i] += d + 0.01 * d * u[i];
            rest += d * d;
        }
        k++;
    }
    for (int i = 0; i < n; i++)
        s += u[i] * u[i];
    return s;
}
