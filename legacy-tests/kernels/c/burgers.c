/* Nonlinear advection u (du/dx + du/dy) with diffusion, two sweeps per turn of the time loop, u to v
 * and back; the value is the sum of squares of the last u.  nt is even.
 *
 * The speed of each sweep is needed backwards and overwritten by the next but one.
 * True tape: the interior once per sweep, 8 nt (n-2)^2 bytes (fewer with checkpoints). */
double burgers(int n, int nt, double *u, double *v)
{
    double s = 0.0;

    for (int k = 0; k < n * n; k++)
        v[k] = u[k];
    for (int t = 0; t < nt; t += 2) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = u[i * n + j]
                    - 0.05 * u[i * n + j] * (u[(i + 1) * n + j] - u[(i - 1) * n + j]
                                             + u[i * n + j + 1] - u[i * n + j - 1])
                    + 0.1 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1]
                             + u[i * n + j + 1] - 4.0 * u[i * n + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j]
                    - 0.05 * v[i * n + j] * (v[(i + 1) * n + j] - v[(i - 1) * n + j]
                                             + v[i * n + j + 1] - v[i * n + j - 1])
                    + 0.1 * (v[(i - 1) * n + j] + v[(i + 1) * n + j] + v[i * n + j - 1]
                             + v[i * n + j + 1] - 4.0 * v[i * n + j]);
    }
    for (int k = 0; k < n * n; k++)
        s += u[k] * u[k];
    return s;
}
