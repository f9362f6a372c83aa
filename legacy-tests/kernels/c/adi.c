/* Alternating-direction implicit heat equation: a sweep along columns gives v from u, one along rows u
 * from v (NPBench adi).
 *
 *   column sweep, i = 1 .. n-2:  p_j = -c / (a p_{j-1} + b),
 *     q_j = (-d u_{j,i-1} + (1 + 2 d) u_{j,i} - f u_{j,i+1} - a q_{j-1}) / (a p_{j-1} + b),
 *     v_j = p_j v_{j+1} + q_j downwards;  row sweep with (d, e, f) and source (a, c) likewise.
 *
 * Linear in u: p does not depend on it and can be had again.  True tape: 0 bytes. */
void adi(int tsteps, int n, double u[n][n])
{
    double v[n][n], p[n][n], q[n][n];
    double dx, dy, dt, mul1, mul2, a, b, c, d, e, f;
    int t, i, j;

    dx = 1.0 / n;
    dy = 1.0 / n;
    dt = 1.0 / tsteps;
    mul1 = 2.0 * dt / (dx * dx);
    mul2 = 1.0 * dt / (dy * dy);
    a = -mul1 / 2.0;
    b = 1.0 + mul2;
    c = a;
    d = -mul2 / 2.0;
    e = 1.0 + mul2;
    f = d;
    for (t = 1; t <= tsteps; t++) {
        for (i = 1; i < n - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (j = 1; j < n - 1; j++) {
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1]
                           - a * q[i][j - 1])
                    / (a * p[i][j - 1] + b);
            }
            v[n - 1][i] = 1.0;
            for (j = n - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        for (i = 1; i < n - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (j = 1; j < n - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j]
                           - d * q[i][j - 1])
                    / (d * p[i][j - 1] + e);
            }
            u[i][n - 1] = 1.0;
            for (j = n - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
}
