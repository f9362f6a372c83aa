/* The adjoint of `wave` against a central difference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double wave(int n, int steps, const double *start, double *u, double *before);
void wave_b(int n, int steps, const double *start, double *start_b, double *u, double *before,
            double *value, double value_b);

static double moved(int n, int steps, double *start, double *u, double *before, double by)
{
    for (int i = 0; i < n; i++)
        start[i] = 0.5 + 0.3 * sin(i) + by * cos(i);
    return wave(n, steps, start, u, before);
}

int main(int count, char **words)
{
    int n = count > 1 ? atoi(words[1]) : 10, steps = count > 2 ? atoi(words[2]) : 10;
    double *start = malloc(n * sizeof *start), *start_b = calloc(n, sizeof *start_b);
    double *u = malloc(n * sizeof *u), *before = malloc(n * sizeof *before);
    double value, found = 0.0, difference;

    if (!start || !start_b || !u || !before)
        return 1;
    moved(n, 0, start, u, before, 0.0);
    wave_b(n, steps, start, start_b, u, before, &value, 1.0);
    for (int i = 0; i < n; i++)
        found += start_b[i] * cos(i);
    difference = moved(n, steps, start, u, before, 1e-5) - moved(n, steps, start, u, before, -1e-5);
    printf("%10.3e\n", fabs(difference / 2e-5 - found) / fabs(found));
    return 0;
}
