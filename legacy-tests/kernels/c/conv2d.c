/* Convolution of images with a bias, without padding (NPBench conv2d, in double precision).
 *
 * Linear in the images and in the weights, which both are inputs.  True tape: 0 bytes. */
void conv2d(int n, int h, int ci, int co, int k, double x[n][h][h][ci], double w[k][k][ci][co],
            double b[co], double out[n][h - k + 1][h - k + 1][co])
{
    int m, i, j, p, q, c, o;

    for (m = 0; m < n; m++)
        for (i = 0; i <= h - k; i++)
            for (j = 0; j <= h - k; j++) {
                for (o = 0; o < co; o++)
                    out[m][i][j][o] = b[o];
                for (p = 0; p < k; p++)
                    for (q = 0; q < k; q++)
                        for (c = 0; c < ci; c++)
                            for (o = 0; o < co; o++)
                                out[m][i][j][o] = out[m][i][j][o] + x[m][i + p][j + q][c] * w[p][q][c][o];
            }
}
