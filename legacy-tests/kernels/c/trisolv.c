/* Forward substitution for a lower triangular matrix (NPBench trisolv).
 *
 *   x_i = (b_i - sum_{j<i} l_ij x_j) / l_ii
 *
 * The quotient's derivative is written with its result, and every x_j that is read is final.
 * True tape: 0 bytes. */
void trisolv(int n, double l[n][n], double x[n], double b[n])
{
    int i, j;

    for (i = 0; i < n; i++) {
        x[i] = b[i];
        for (j = 0; j < i; j++)
            x[i] = x[i] - l[i][j] * x[j];
        x[i] = x[i] / l[i][i];
    }
}
