/* y = alpha A x + beta B x (NPBench gesummv).
 *
 * Products of inputs only.  True tape: 0 bytes. */
void gesummv(int n, double alpha, double beta, double a[n][n], double b[n][n], double x[n], double y[n])
{
    int i, j;

    for (i = 0; i < n; i++) {
        y[i] = 0.0;
        for (j = 0; j < n; j++)
            y[i] = y[i] + (alpha * a[i][j] * x[j] + beta * b[i][j] * x[j]);
    }
}
