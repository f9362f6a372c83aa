/* Solution of a x = b by LU factorisation in place and two substitutions (NPBench ludcmp).
 *
 * Quotients are differentiated by their results, and every factor that is read is final.
 * True tape: 0 bytes. */
void ludcmp(int n, double a[n][n], double b[n], double x[n], double y[n])
{
    int i, j, k;

    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                a[i][j] = a[i][j] - a[i][k] * a[k][j];
            a[i][j] = a[i][j] / a[j][j];
        }
        for (j = i; j < n; j++)
            for (k = 0; k < i; k++)
                a[i][j] = a[i][j] - a[i][k] * a[k][j];
    }
    for (i = 0; i < n; i++) {
        y[i] = b[i];
        for (j = 0; j < i; j++)
            y[i] = y[i] - a[i][j] * y[j];
    }
    for (i = n - 1; i >= 0; i--) {
        x[i] = y[i];
        for (j = i + 1; j < n; j++)
            x[i] = x[i] - a[i][j] * x[j];
        x[i] = x[i] / a[i][i];
    }
}
