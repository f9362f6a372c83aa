/* b := alpha (b + s^T b), s the strictly lower triangle of a, in place (NPBench trmm).
 *
 * A row is read before it is overwritten: the old b is needed, once.  True tape: 8 m n bytes. */
void trmm(int m, int n, double alpha, double a[m][m], double b[m][n])
{
    int i, j, k;

    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            for (k = i + 1; k < m; k++)
                b[i][j] = b[i][j] + a[k][i] * b[k][j];
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            b[i][j] = alpha * b[i][j];
}
