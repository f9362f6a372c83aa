/* a += u1 v1^T + u2 v2^T;  x += beta a^T y + z;  w += alpha a x (NPBench gemver).
 *
 * The new a and x are needed, which are final.  True tape: 0 bytes. */
void gemver(int n, double alpha, double beta, double a[n][n], double u1[n], double v1[n],
            double u2[n], double v2[n], double w[n], double x[n], double y[n], double z[n])
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            a[i][j] = a[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            x[j] = x[j] + beta * a[i][j] * y[i];
    for (i = 0; i < n; i++)
        x[i] = x[i] + z[i];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            w[i] = w[i] + alpha * a[i][j] * x[j];
}
