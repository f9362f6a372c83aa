/* C = alpha A B + beta C (NPBench gemm), A is ni x nk, B is nk x nj.
 *
 * A and B are inputs, and the factors alpha and beta are no independents.  True tape: 0 bytes. */
void gemm(int ni, int nj, int nk, double alpha, double beta, double c[ni][nj], double a[ni][nk],
          double b[nk][nj])
{
    int i, j, k;

    for (i = 0; i < ni; i++) {
        for (j = 0; j < nj; j++)
            c[i][j] = beta * c[i][j];
        for (k = 0; k < nk; k++)
            for (j = 0; j < nj; j++)
                c[i][j] = c[i][j] + alpha * a[i][k] * b[k][j];
    }
}
