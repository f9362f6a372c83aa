/* QR factorisation by Gram and Schmidt's method (NPBench gramschmidt).
 *
 *   k = 0 .. n-1:  r_kk = |a_k|,  q_k = a_k / r_kk;  j > k:  r_kj = q_k . a_j,  a_j -= q_k r_kj.
 *
 * Each step needs the columns of before it: m n (n-1) / 2 values, or steps that run again. */
#include <math.h>

void gramschmidt(int m, int n, double a[m][n], double q[m][n], double r[n][n])
{
    double total;
    int i, j, k;

    for (k = 0; k < n; k++)
        for (j = 0; j < n; j++)
            r[k][j] = 0.0;
    for (k = 0; k < n; k++) {
        total = 0.0;
        for (i = 0; i < m; i++)
            total = total + a[i][k] * a[i][k];
        r[k][k] = sqrt(total);
        for (i = 0; i < m; i++)
            q[i][k] = a[i][k] / r[k][k];
        for (j = k + 1; j < n; j++) {
            for (i = 0; i < m; i++)
                r[k][j] = r[k][j] + q[i][k] * a[i][j];
            for (i = 0; i < m; i++)
                a[i][j] = a[i][j] - q[i][k] * r[k][j];
        }
    }
}
