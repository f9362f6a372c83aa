/* LU factorisation without pivoting, in place (NPBench lu).
 *
 *   j < i:   a_ij = (a_ij - sum_{k<j} a_ik a_kj) / a_jj
 *   j >= i:  a_ij =  a_ij - sum_{k<i} a_ik a_kj
 *
 * The quotient is differentiated by its result, every factor that is read is final.
 * True tape: 0 bytes. */
void lu(int n, double a[n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] = a[i][j] - a[i][k] * a[k][j];
            a[i][j] = a[i][j] / a[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                a[i][j] = a[i][j] - a[i][k] * a[k][j];
    }
}
