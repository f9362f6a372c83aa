/* y = alpha A x + beta B x (NPBench gesummv).
 *
 * Products of inputs only.  True tape: 0 bytes. */
void gesummv(int n, double alpha, double beta, double a[n][n], double b[n][n], double x[n], double y[n])
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++)
            y[i] = y[i] + (alpha * a[i][j] * x[j] + beta * b[i][j] * x[j]);
    }
}
