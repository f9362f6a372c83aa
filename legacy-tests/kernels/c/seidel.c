/* nt Gauss-Seidel sweeps of the nine-point mean over an n x n grid, in place; the value is the sum
 * of squares of the result.
 *
 * Linear up to the squares of the final a.  True tape: 0 bytes. */
double seidel(int n, int nt, double *a)
{
    double s = 0.0;

    for (int t = 0; t < nt; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] =
                    (a[(i - 1) * n + j - 1] + a[(i - 1) * n + j] + a[(i - 1) * n + j + 1]
                     + a[i * n + j - 1] + a[i * n + j] + a[i * n + j + 1]
                     + a[(i + 1) * n + j - 1] + a[(i + 1) * n + j] + a[(i + 1) * n + j + 1])
                    / 9.0;
    for (int k = 0; k < n * n; k++)
        s += a[k] * a[k];
    return s;
}
