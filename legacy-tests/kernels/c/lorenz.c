/* The Lorenz system by the classical Runge-Kutta method; p holds the start x, y, z and the
 * parameters sigma, rho, beta; the value is the squared distance of the end from the origin.
 *
 * A sequential nonlinear recurrence.  True tape: the state once per step, 24 nsteps bytes; the
 * stages can be had again from it. */
double lorenz(int nsteps, double dt, double *p)
{
    double x = p[0], y = p[1], z = p[2];
    const double sigma = p[3], rho = p[4], beta = p[5];

    for (int step = 0; step < nsteps; step++) {
        double x1 = sigma * (y - x);
        double y1 = x * (rho - z) - y;
        double z1 = x * y - beta * z;
        double xs = x + 0.5 * dt * x1;
        double ys = y + 0.5 * dt * y1;
        double zs = z + 0.5 * dt * z1;
        double x2 = sigma * (ys - xs);
        double y2 = xs * (rho - zs) - ys;
        double z2 = xs * ys - beta * zs;
        xs = x + 0.5 * dt * x2;
        ys = y + 0.5 * dt * y2;
        zs = z + 0.5 * dt * z2;
        double x3 = sigma * (ys - xs);
        double y3 = xs * (rho - zs) - ys;
        double z3 = xs * ys - beta * zs;
        xs = x + dt * x3;
        ys = y + dt * y3;
        zs = z + dt * z3;
        double x4 = sigma * (ys - xs);
        double y4 = xs * (rho - zs) - ys;
        double z4 = xs * ys - beta * zs;
        x = x + dt / 6.0 * (x1 + 2.0 * x2 + 2.0 * x3 + x4);
        y = y + dt / 6.0 * (y1 + 2.0 * y2 + 2.0 * y3 + y4);
        z = z + dt / 6.0 * (z1 + 2.0 * z2 + 2.0 * z3 + z4);
    }
    return x * x + y * y + z * z;
}
