/* Flow through a channel, periodic in x, until it changes little from step to step (NPBench
 * channel_flow).
 *
 * As cavity_flow, with a force along x and walls below and above.  The loop ends on a computed residual:
 * the number of steps counts as constant.  A step needs u and v of before it: 16 ny nx bytes for each
 * step, as many as there are, or steps that run again. */
void channel_flow(int nx, int ny, int nit, double dt, double dx, double dy, double rho, double nu,
                  double force, double least, double u[ny][nx], double v[ny][nx],
                  double p[ny][nx], int *steps)
{
    double un[ny][nx], vn[ny][nx], pn[ny][nx], b[ny][nx];
    double ux, uy, vx, vy, change, before, after;
    int q, i, j, e, w;

    *steps = 0;
    change = 1.0;
    while (change > least) {
        for (i = 0; i < ny; i++)
            for (j = 0; j < nx; j++) {
                un[i][j] = u[i][j];
                vn[i][j] = v[i][j];
            }
        for (i = 1; i < ny - 1; i++)
            for (j = 0; j < nx; j++) {
                e = (j + 1) % nx;
                w = (j + nx - 1) % nx;
                ux = (un[i][e] - un[i][w]) / (2.0 * dx);
                uy = (un[i + 1][j] - un[i - 1][j]) / (2.0 * dy);
                vx = (vn[i][e] - vn[i][w]) / (2.0 * dx);
                vy = (vn[i + 1][j] - vn[i - 1][j]) / (2.0 * dy);
                b[i][j] = rho * (1.0 / dt * (ux + vy) - ux * ux - 2.0 * uy * vx - vy * vy);
            }
        for (q = 1; q <= nit; q++) {
            for (i = 0; i < ny; i++)
                for (j = 0; j < nx; j++)
                    pn[i][j] = p[i][j];
            for (i = 1; i < ny - 1; i++)
                for (j = 0; j < nx; j++) {
                    e = (j + 1) % nx;
                    w = (j + nx - 1) % nx;
                    p[i][j] = ((pn[i][e] + pn[i][w]) * dy * dy
                               + (pn[i + 1][j] + pn[i - 1][j]) * dx * dx)
                            / (2.0 * (dx * dx + dy * dy))
                        - dx * dx * dy * dy / (2.0 * (dx * dx + dy * dy)) * b[i][j];
                }
            for (j = 0; j < nx; j++) {
                p[ny - 1][j] = p[ny - 2][j];
                p[0][j] = p[1][j];
            }
        }
        for (i = 1; i < ny - 1; i++)
            for (j = 0; j < nx; j++) {
                e = (j + 1) % nx;
                w = (j + nx - 1) % nx;
                u[i][j] = un[i][j] - un[i][j] * dt / dx * (un[i][j] - un[i][w])
                    - vn[i][j] * dt / dy * (un[i][j] - un[i - 1][j])
                    - dt / (2.0 * rho * dx) * (p[i][e] - p[i][w])
                    + nu * (dt / (dx * dx) * (un[i][e] - 2.0 * un[i][j] + un[i][w])
                            + dt / (dy * dy) * (un[i + 1][j] - 2.0 * un[i][j] + un[i - 1][j]))
                    + force * dt;
                v[i][j] = vn[i][j] - un[i][j] * dt / dx * (vn[i][j] - vn[i][w])
                    - vn[i][j] * dt / dy * (vn[i][j] - vn[i - 1][j])
                    - dt / (2.0 * rho * dy) * (p[i + 1][j] - p[i - 1][j])
                    + nu * (dt / (dx * dx) * (vn[i][e] - 2.0 * vn[i][j] + vn[i][w])
                            + dt / (dy * dy) * (vn[i + 1][j] - 2.0 * vn[i][j] + vn[i - 1][j]));
            }
        for (j = 0; j < nx; j++) {
            u[0][j] = 0.0;
            u[ny - 1][j] = 0.0;
            v[0][j] = 0.0;
            v[ny - 1][j] = 0.0;
        }
        before = 0.0;
        after = 0.0;
        for (i = 0; i < ny; i++)
            for (j = 0; j < nx; j++) {
                before = before + un[i][j];
                after = after + u[i][j];
            }
        change = (after - before) / after;
        *steps = *steps + 1;
    }
}
