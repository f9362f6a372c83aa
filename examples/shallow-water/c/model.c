#include "model.h"

#include "dynamics.h"
#include "parameters.h"

void simulate(int nx, int ny, int nt, double eta0[ny][nx], double u0[ny][nx], double v0[ny + 1][nx],
              double bottom[ny][nx], double eta[ny][nx])
{
    double h[ny][nx + 2], u[ny][nx + 2], v[ny + 1][nx + 2], b[ny][nx + 2];

    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            b[j][i + 1] = bottom[j][i];
            h[j][i + 1] = DEPTH + eta0[j][i] - bottom[j][i];
            u[j][i + 1] = u0[j][i];
        }
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i < nx; i++) {
            if (j == 0 || j == ny)
                v[j][i + 1] = 0.0;
            else
                v[j][i + 1] = v0[j][i];
        }
    wrap(nx, ny, b);
    wrap(nx, ny, h);
    wrap(nx, ny, u);
    wrap(nx, ny + 1, v);

    for (int t = 0; t < nt; t++)
        step(nx, ny, b, h, u, v);

    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            eta[j][i] = h[j][i + 1] + b[j][i + 1] - DEPTH;
}

double cost_function(int nx, int ny, int nt, double eta0[ny][nx], double u0[ny][nx],
                     double v0[ny + 1][nx], double bottom[ny][nx])
{
    double eta[ny][nx];
    int west = TARGET_WEST(nx), east = TARGET_EAST(nx);
    int south = TARGET_SOUTH(ny), north = TARGET_NORTH(ny);
    double cost = 0.0;

    simulate(nx, ny, nt, eta0, u0, v0, bottom, eta);
    for (int j = south; j <= north; j++)
        for (int i = west; i <= east; i++)
            cost += eta[j][i];
    return cost / ((east - west + 1) * (north - south + 1));
}
