/* c := beta c + alpha a a^T in the lower triangle (NPBench syrk).
 *
 * a stands twice in a product, and its elements are inputs.  True tape: 0 bytes. */
void syrk(int n, int m, double alpha, double beta, double c[n][n], double a[n][m])
{
    int i, j, k;

    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            c[i][j] = beta * c[i][j];
        for (k = 0; k < m; k++)
            for (j = 0; j <= i; j++)
                c[i][j] = c[i][j] + alpha * a[i][k] * a[j][k];
    }
}
