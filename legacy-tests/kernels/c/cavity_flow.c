/* Flow in a cavity whose lid moves: a projection method with a few Jacobi sweeps for the pressure
 * (NPBench cavity_flow).
 *
 *   b = rho ((u_x + v_y) / dt - u_x^2 - 2 u_y v_x - v_y^2);  nit times p <- Jacobi(p, b), walls;
 *   u, v: advection upwind, pressure gradient, diffusion, walls.
 *
 * p enters linearly, so a step needs u and v of before it: 16 ny nx bytes for each step, or steps that run
 * again. */
void cavity_flow(int nx, int ny, int nt, int nit, double dt, double dx, double dy, double rho,
                 double nu, double u[ny][nx], double v[ny][nx], double p[ny][nx])
{
    double un[ny][nx], vn[ny][nx], pn[ny][nx], b[ny][nx];
    double ux, uy, vx, vy;
    int t, q, i, j;

    for (t = 1; t <= nt; t++) {
        for (i = 0; i < ny; i++)
            for (j = 0; j < nx; j++) {
                un[i][j] = u[i][j];
                vn[i][j] = v[i][j];
            }
        for (i = 1; i < ny - 1; i++)
            for (j = 1; j < nx - 1; j++) {
                ux = (un[i][j + 1] - un[i][j - 1]) / (2.0 * dx);
                uy = (un[i + 1][j] - un[i - 1][j]) / (2.0 * dy);
                vx = (vn[i][j + 1] - vn[i][j - 1]) / (2.0 * dx);
                vy = (vn[i + 1][j] - vn[i - 1][j]) / (2.0 * dy);
                b[i][j] = rho * (1.0 / dt * (ux + vy) - ux * ux - 2.0 * uy * vx - vy * vy);
            }
        for (q = 1; q <= nit; q++) {
            for (i = 0; i < ny; i++)
                for (j = 0; j < nx; j++)
                    pn[i][j] = p[i][j];
            for (i = 1; i < ny - 1; i++)
                for (j = 1; j < nx - 1; j++)
                    p[i][j] = ((pn[i][j + 1] + pn[i][j - 1]) * dy * dy
                               + (pn[i + 1][j] + pn[i - 1][j]) * dx * dx)
                            / (2.0 * (dx * dx + dy * dy))
                        - dx * dx * dy * dy / (2.0 * (dx * dx + dy * dy)) * b[i][j];
            for (i = 0; i < ny; i++)
                p[i][nx - 1] = p[i][nx - 2];
            for (j = 0; j < nx; j++)
                p[0][j] = p[1][j];
            for (i = 0; i < ny; i++)
                p[i][0] = p[i][1];
            for (j = 0; j < nx; j++)
                p[ny - 1][j] = 0.0;
        }
        for (i = 1; i < ny - 1; i++)
            for (j = 1; j < nx - 1; j++) {
                u[i][j] = un[i][j] - un[i][j] * dt / dx * (un[i][j] - un[i][j - 1])
                    - vn[i][j] * dt / dy * (un[i][j] - un[i - 1][j])
                    - dt / (2.0 * rho * dx) * (p[i][j + 1] - p[i][j - 1])
                    + nu * (dt / (dx * dx) * (un[i][j + 1] - 2.0 * un[i][j] + un[i][j - 1])
                            + dt / (dy * dy) * (un[i + 1][j] - 2.0 * un[i][j] + un[i - 1][j]));
                v[i][j] = vn[i][j] - un[i][j] * dt / dx * (vn[i][j] - vn[i][j - 1])
                    - vn[i][j] * dt / dy * (vn[i][j] - vn[i - 1][j])
                    - dt / (2.0 * rho * dy) * (p[i + 1][j] - p[i - 1][j])
                    + nu * (dt / (dx * dx) * (vn[i][j + 1] - 2.0 * vn[i][j] + vn[i][j - 1])
                            + dt / (dy * dy) * (vn[i + 1][j] - 2.0 * vn[i][j] + vn[i - 1][j]));
            }
        for (i = 0; i < ny; i++) {
            u[i][0] = 0.0;
            u[i][nx - 1] = 0.0;
            v[i][0] = 0.0;
            v[i][nx - 1] = 0.0;
        }
        for (j = 0; j < nx; j++) {
            u[0][j] = 0.0;
            u[ny - 1][j] = 1.0;
            v[0][j] = 0.0;
            v[ny - 1][j] = 0.0;
        }
    }
}
