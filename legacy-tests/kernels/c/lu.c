/* LU factorisation without pivoting, in place (NPBench lu).
 *
 *   j < i:   a_ij = (a_ij - sum_{k<j} a_ik a_kj) / a_jj
 *   j >= i:  a_ij =  a_ij - sum_{k<i} a_ik a_kj
 *
 * The quotient is differentiated by its result, every factor that is read is final.
 * True tape: 0 bytes. */
void lu(int n, double a[n][n])
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
}
