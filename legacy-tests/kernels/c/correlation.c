/* Pearson's correlations of the columns of a table (NPBench correlation).
 *
 *   data := (data - mean) / (sqrt(n) std),  corr_ij = data_i . data_j, 1 on the diagonal;
 *   a column whose std is at most 0.1 counts as one of std 1.
 *
 * The normalised data stay; the centred ones, of which std is made, are overwritten with them.  True tape:
 * the centred data, std and its branches, 8 m n + 12 m bytes. */
#include <math.h>

void correlation(int m, int n, double data[n][m], double corr[m][m])
{
    double mean[m], std[m];
    int i, j, k;

    for (j = 0; j < m; j++) {
        mean[j] = 0.0;
        std[j] = 0.0;
    }
    for (k = 0; k < n; k++)
        for (j = 0; j < m; j++)
            mean[j] = mean[j] + data[k][j] / n;
    for (k = 0; k < n; k++)
        for (j = 0; j < m; j++) {
            data[k][j] = data[k][j] - mean[j];
            std[j] = std[j] + data[k][j] * data[k][j] / n;
        }
    for (j = 0; j < m; j++) {
        std[j] = sqrt(std[j]);
        if (std[j] <= 0.1)
            std[j] = 1.0;
    }
    for (k = 0; k < n; k++)
        for (j = 0; j < m; j++)
            data[k][j] = data[k][j] / (sqrt(1.0 * n) * std[j]);
    for (i = 0; i < m; i++) {
        corr[i][i] = 1.0;
        for (j = i + 1; j < m; j++) {
            corr[i][j] = 0.0;
            for (k = 0; k < n; k++)
                corr[i][j] = corr[i][j] + data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
}
