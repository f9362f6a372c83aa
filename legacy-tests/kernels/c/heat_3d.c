/* Explicit heat equation with seven points, ping-pong between a and b (NPBench heat_3d).
 *
 *   t = 1 .. tsteps-1:  b = a + 1/8 sum over the three axes of (a_{+1} - 2 a + a_{-1}),  then a from b,
 *   for the interior.
 *
 * Linear: the adjoint keeps nothing.  True tape: 0 bytes. */
void heat_3d(int tsteps, int n, double a[n][n][n], double b[n][n][n])
{
    int t, i, j, k;

    for (t = 1; t < tsteps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                for (k = 1; k < n - 1; k++)
                    b[i][j][k] = a[i][j][k]
                        + 0.125 * (a[i + 1][j][k] - 2.0 * a[i][j][k] + a[i - 1][j][k])
                        + 0.125 * (a[i][j + 1][k] - 2.0 * a[i][j][k] + a[i][j - 1][k])
                        + 0.125 * (a[i][j][k + 1] - 2.0 * a[i][j][k] + a[i][j][k - 1]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                for (k = 1; k < n - 1; k++)
                    a[i][j][k] = b[i][j][k]
                        + 0.125 * (b[i + 1][j][k] - 2.0 * b[i][j][k] + b[i - 1][j][k])
                        + 0.125 * (b[i][j + 1][k] - 2.0 * b[i][j][k] + b[i][j - 1][k])
                        + 0.125 * (b[i][j][k + 1] - 2.0 * b[i][j][k] + b[i][j][k - 1]);
    }
}
