/* Covariances of the columns of a table (NPBench covariance).
 *
 *   data := data - mean,  cov_ij = cov_ji = data_i . data_j / (n - 1)
 *
 * What is needed are the centred data, which stay.  True tape: 0 bytes. */
void covariance(int m, int n, double data[n][m], double cov[m][m])
{
    double mean[m];
    int i, j, k;

    for (j = 0; j < m; j++)
        mean[j] = 0.0;
    for (k = 0; k < n; k++)
        for (j = 0; j < m; j++)
            mean[j] = mean[j] + data[k][j] / n;
    for (k = 0; k < n; k++)
        for (j = 0; j < m; j++)
            data[k][j] = data[k][j] - mean[j];
    for (i = 0; i < m; i++)
        for (j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (k = 0; k < n; k++)
                cov[i][j] = cov[i][j] + data[k][i] * data[k][j];
            cov[i][j] = cov[i][j] / (n - 1.0);
            cov[j][i] = cov[i][j];
        }
}
