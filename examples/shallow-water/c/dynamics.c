#include "dynamics.h"

#include "parameters.h"

void step(int nx, int ny, double bottom[ny][nx + 2], double h[ny][nx + 2], double u[ny][nx + 2],
          double v[ny + 1][nx + 2])
{
    double h1[ny][nx + 2], u1[ny][nx + 2], v1[ny + 1][nx + 2];
    double h2[ny][nx + 2], u2[ny][nx + 2], v2[ny + 1][nx + 2];
    double dh[ny][nx + 2], du[ny][nx + 2], dv[ny + 1][nx + 2];

    tendencies(nx, ny, bottom, h, u, v, dh, du, dv);
    advance(nx, ny, DT / 3.0, dh, h, h1);
    advance(nx, ny, DT / 3.0, du, u, u1);
    advance(nx, ny + 1, DT / 3.0, dv, v, v1);

    tendencies(nx, ny, bottom, h1, u1, v1, dh, du, dv);
    advance(nx, ny, DT / 2.0, dh, h, h2);
    advance(nx, ny, DT / 2.0, du, u, u2);
    advance(nx, ny + 1, DT / 2.0, dv, v, v2);

    tendencies(nx, ny, bottom, h2, u2, v2, dh, du, dv);
    for (int j = 0; j < ny; j++)
        for (int i = 1; i <= nx; i++) {
            h[j][i] += DT * dh[j][i];
            u[j][i] += DT * du[j][i];
        }
    for (int j = 0; j < ny + 1; j++)
        for (int i = 1; i <= nx; i++)
            v[j][i] += DT * dv[j][i];
    wrap(nx, ny, h);
    wrap(nx, ny, u);
    wrap(nx, ny + 1, v);
}

void tendencies(int nx, int ny, double bottom[ny][nx + 2], double h[ny][nx + 2],
                double u[ny][nx + 2], double v[ny + 1][nx + 2], double dh[ny][nx + 2],
                double du[ny][nx + 2], double dv[ny + 1][nx + 2])
{
    double fx[ny][nx + 2], fy[ny + 1][nx + 2]; /* volume fluxes U and V on the faces */
    double q[ny + 1][nx + 2];                  /* potential vorticity on south-western corners */
    double head[ny][nx + 2];                   /* Bernoulli function in the centres */

    for (int j = 0; j < ny; j++)
        for (int i = 1; i <= nx + 1; i++)
            fx[j][i] = 0.5 * (h[j][i - 1] + h[j][i]) * u[j][i];
    for (int i = 0; i <= nx; i++) {
        fy[0][i] = 0.0;
        fy[ny][i] = 0.0;
    }
    for (int j = 1; j < ny; j++)
        for (int i = 0; i <= nx; i++)
            fy[j][i] = 0.5 * (h[j - 1][i] + h[j][i]) * v[j][i];

    for (int j = 0; j <= ny; j++) {
        double f = CORIOLIS + BETA * DY * (j - 0.5 * ny);
        for (int i = 1; i <= nx + 1; i++) {
            if (j == 0) {
                q[j][i] = f / (0.5 * (h[j][i - 1] + h[j][i]));
            } else if (j == ny) {
                q[j][i] = f / (0.5 * (h[j - 1][i - 1] + h[j - 1][i]));
            } else {
                double vorticity = (v[j][i] - v[j][i - 1]) / DX - (u[j][i] - u[j - 1][i]) / DY;
                double thickness = 0.25 * (h[j - 1][i - 1] + h[j - 1][i] + h[j][i - 1] + h[j][i]);
                q[j][i] = (f + vorticity) / thickness;
            }
        }
    }

    for (int j = 0; j < ny; j++)
        for (int i = 0; i <= nx; i++)
            head[j][i] = GRAVITY * (h[j][i] + bottom[j][i])
                + 0.25 * (u[j][i] * u[j][i] + u[j][i + 1] * u[j][i + 1]
                          + v[j][i] * v[j][i] + v[j + 1][i] * v[j + 1][i]);

    for (int j = 0; j < ny; j++)
        for (int i = 1; i <= nx; i++) {
            dh[j][i] = -(fx[j][i + 1] - fx[j][i]) / DX - (fy[j + 1][i] - fy[j][i]) / DY;
            du[j][i] = 0.25 * (q[j][i] * (fy[j][i - 1] + fy[j][i])
                               + q[j + 1][i] * (fy[j + 1][i - 1] + fy[j + 1][i]))
                - (head[j][i] - head[j][i - 1]) / DX - DRAG * u[j][i];
        }
    for (int i = 1; i <= nx; i++) {
        dv[0][i] = 0.0;
        dv[ny][i] = 0.0;
    }
    for (int j = 1; j < ny; j++)
        for (int i = 1; i <= nx; i++)
            dv[j][i] = -0.25 * (q[j][i] * (fx[j - 1][i] + fx[j][i])
                                + q[j][i + 1] * (fx[j - 1][i + 1] + fx[j][i + 1]))
                - (head[j][i] - head[j - 1][i]) / DY - DRAG * v[j][i];
}

void advance(int nx, int m, double time, double rate[m][nx + 2], double a[m][nx + 2],
             double result[m][nx + 2])
{
    for (int j = 0; j < m; j++)
        for (int i = 1; i <= nx; i++)
            result[j][i] = a[j][i] + time * rate[j][i];
    wrap(nx, m, result);
}

void wrap(int nx, int m, double a[m][nx + 2])
{
    for (int j = 0; j < m; j++) {
        a[j][0] = a[j][nx];
        a[j][nx + 1] = a[j][1];
    }
}
