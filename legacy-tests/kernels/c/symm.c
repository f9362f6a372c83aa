/* c := beta c + alpha s b, s the symmetric matrix whose lower triangle is a's (NPBench symm).
 *
 * Elements of a above the diagonal are not read; their shadows stay.  Factors are inputs.
 * True tape: 0 bytes. */
void symm(int m, int n, double alpha, double beta, double c[m][n], double a[m][m], double b[m][n])
{
    double t;
    int i, j, k;

    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            c[i][j] = beta * c[i][j];
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            t = 0.0;
            for (k = 0; k < i; k++) {
                c[k][j] = c[k][j] + alpha * b[i][j] * a[i][k];
                t = t + b[k][j] * a[i][k];
            }
            c[i][j] = c[i][j] + alpha * b[i][j] * a[i][i] + alpha * t;
        }
}
