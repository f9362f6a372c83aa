/* d := alpha a b c + beta d (NPBench k2mm).
 *
 * The product alpha a b is a local array that is still there.  True tape: 0 bytes. */
void k2mm(int ni, int nj, int nk, int nl, double alpha, double beta, double a[ni][nk],
          double b[nk][nj], double c[nj][nl], double d[ni][nl])
{
    double ab[ni][nj];
    int i, j, k;

    for (i = 0; i < ni; i++) {
        for (j = 0; j < nj; j++)
            ab[i][j] = 0.0;
        for (k = 0; k < nk; k++)
            for (j = 0; j < nj; j++)
                ab[i][j] = ab[i][j] + alpha * a[i][k] * b[k][j];
    }
    for (i = 0; i < ni; i++) {
        for (j = 0; j < nl; j++)
            d[i][j] = beta * d[i][j];
        for (k = 0; k < nj; k++)
            for (j = 0; j < nl; j++)
                d[i][j] = d[i][j] + ab[i][k] * c[k][j];
    }
}
