/* g = (a b) (c d) (NPBench k3mm).
 *
 * Both products are local arrays that are still there.  True tape: 0 bytes. */
void k3mm(int ni, int nj, int nk, int nl, int nm, double a[ni][nk], double b[nk][nj],
          double c[nj][nm], double d[nm][nl], double g[ni][nl])
{
    double ab[ni][nj], cd[nj][nl];
    int i, j, k;

    for (i = 0; i < ni; i++) {
        for (j = 0; j < nj; j++)
            ab[i][j] = 0.0;
        for (k = 0; k < nk; k++)
            for (j = 0; j < nj; j++)
                ab[i][j] = ab[i][j] + a[i][k] * b[k][j];
    }
    for (i = 0; i < nj; i++) {
        for (j = 0; j < nl; j++)
            cd[i][j] = 0.0;
        for (k = 0; k < nm; k++)
            for (j = 0; j < nl; j++)
                cd[i][j] = cd[i][j] + c[i][k] * d[k][j];
    }
    for (i = 0; i < ni; i++) {
        for (j = 0; j < nl; j++)
            g[i][j] = 0.0;
        for (k = 0; k < nj; k++)
            for (j = 0; j < nl; j++)
                g[i][j] = g[i][j] + ab[i][k] * cd[k][j];
    }
}
