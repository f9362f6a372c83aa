#include <math.h>

/* Cholesky factorisation of a symmetric positive definite matrix, in place, row by row
 * (NPBench cholesky); only the lower triangle is touched.
 *
 *   j < i:  a_ij = (a_ij - sum_{k<j} a_ik a_jk) / a_jj;   a_ii = sqrt(a_ii - sum_{k<i} a_ik^2)
 *
 * Quotient and root are differentiated by their results, every factor that is read is final.
 * True tape: 0 bytes. */
void cholesky(int n, double a[n][n])
{
    int i, j, k;

    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                a[i][j] = a[i][j] - a[i][k] * a[j][k];
            a[i][j] = a[i][j] / a[j][j];
        }
        for (k = 0; k < i; k++)
            a[i][i] = a[i][i] - a[i][k] * a[i][k];
        a[i][i] = sqrt(a[i][i]);
    }
}
