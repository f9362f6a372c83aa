/* c := beta c + alpha (a b^T + b a^T) in the lower triangle (NPBench syr2k).
 *
 * Factors are inputs.  True tape: 0 bytes. */
void syr2k(int n, int m, double alpha, double beta, double c[n][n], double a[n][m], double b[n][m])
{
    int i, j, k;

    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            c[i][j] = beta * c[i][j];
        for (k = 0; k < m; k++)
            for (j = 0; j <= i; j++)
                c[i][j] = c[i][j] + a[j][k] * alpha * b[i][k] + b[j][k] * alpha * a[i][k];
    }
}
