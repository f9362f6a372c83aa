/* A string that is plucked and damped: two levels in time. */
double wave(int n, int steps, const double *start, double *u, double *before)
{
    double energy = 0.0;
    int i, k;
    for (i = 0; i < n; i++) {
        u[i] = start[i];
        before[i] = start[i];
    }
    /* $AD checkpoint disk(5, 3) */
    for (k = 0; k < steps; k++) {
        for (i = 1; i < n - 1; i++) {
            double next = 1.5 * u[i] - 0.5 * before[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) - 0.01 * u[i] * u[i] * u[i];
            before[i] = u[i];
            u[i] = next;
        }
        energy += u[1] * u[n - 2];
    }
    return energy;
}
