#include "scenario.h"

#include <math.h>

static double bell(double x)
{
    return exp(-x * x);
}

void set_scenario(int nx, int ny, double eta0[ny][nx], double u0[ny][nx], double v0[ny + 1][nx],
                  double bottom[ny][nx])
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            double x = (i + 0.5) / nx, y = (j + 0.5) / ny;
            eta0[j][i] = 2.0 * bell((x - 0.25) / 0.05) * bell((y - 0.4) / 0.08);
            u0[j][i] = 0.5 * bell((y - 0.5) / 0.15);
            bottom[j][i] = 120.0 * bell((x - 0.45 - 0.1 * y) / 0.04)
                + 150.0 * bell((x - 0.8) / 0.07) * bell((y - 0.25) / 0.12);
        }
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i < nx; i++)
            v0[j][i] = 0.0;
}
