/* Softmax of each row (NPBench softmax, in double precision; its leading dimensions are one here).
 *
 *   out_j = exp(x_j - max x) / sum_k exp(x_k - max x)
 *
 * Kept are the running maximum and the sum of each row, 8 n (m + 1) bytes. */
#include <math.h>

void softmax(int n, int m, double x[n][m], double out[n][m])
{
    double e[n][m], most, total;
    int i, j;

    for (i = 0; i < n; i++) {
        most = x[i][0];
        for (j = 1; j < m; j++)
            most = fmax(most, x[i][j]);
        total = 0.0;
        for (j = 0; j < m; j++) {
            e[i][j] = exp(x[i][j] - most);
            total = total + e[i][j];
        }
        for (j = 0; j < m; j++)
            out[i][j] = e[i][j] / total;
    }
}
