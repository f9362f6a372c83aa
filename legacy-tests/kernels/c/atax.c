/* y = (A x) A with A of m x n (NPBench atax).
 *
 * The product t = A x is needed backwards; it stands in a local array that nothing overwrites.
 * True tape: 0 bytes besides t itself. */
void atax(int m, int n, double a[m][n], double x[n], double y[n])
{
    double t[m];
    int i, j;

    for (i = 0; i < m; i++) {
        t[i] = 0.0;
        for (j = 0; j < n; j++)
            t[i] = t[i] + a[i][j] * x[j];
    }
    for (j = 0; j < n; j++)
        y[j] = 0.0;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            y[j] = y[j] + a[i][j] * t[i];
}
