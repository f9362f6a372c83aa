/* A bottleneck block of a residual network: 1x1, 3x3 and 1x1 convolutions, each normalised over the
 * batch, ReLU, and the input added at the end (NPBench resnet, in double precision).
 *
 *   bn(x) = (x - mean x) / sqrt(std x + 1e-5), mean and std over the n images of each point and channel
 *
 * Activations are local arrays that are still there.  True tape: mean, variance and scale of each point
 * and channel, 24 h h (2 c2 + c1) bytes. */
#include <math.h>

void resnet(int n, int h, int c1, int c2, double x[n][h][h][c1], double w1[c1][c2],
            double w2[3][3][c2][c2], double w3[c2][c1], double out[n][h][h][c1])
{
    double a[n][h][h][c2], r[n][h][h][c2], d[n][h][h][c2], s[n][h][h][c2], e[n][h][h][c1];
    double mean, var, scale;
    int m, i, j, p, q, c, o;

    for (m = 0; m < n; m++)
        for (i = 0; i < h; i++)
            for (j = 0; j < h; j++) {
                for (o = 0; o < c2; o++)
                    a[m][i][j][o] = 0.0;
                for (c = 0; c < c1; c++)
                    for (o = 0; o < c2; o++)
                        a[m][i][j][o] = a[m][i][j][o] + x[m][i][j][c] * w1[c][o];
            }
    for (i = 0; i < h; i++)
        for (j = 0; j < h; j++)
            for (o = 0; o < c2; o++) {
                mean = 0.0;
                for (m = 0; m < n; m++)
                    mean = mean + a[m][i][j][o];
                mean = mean / n;
                var = 0.0;
                for (m = 0; m < n; m++)
                    var = var + (a[m][i][j][o] - mean) * (a[m][i][j][o] - mean);
                scale = 1.0 / sqrt(sqrt(var / n) + 1.0e-5);
                for (m = 0; m < n; m++)
                    r[m][i][j][o] = fmax((a[m][i][j][o] - mean) * scale, 0.0);
            }
    for (m = 0; m < n; m++)
        for (i = 0; i < h; i++)
            for (j = 0; j < h; j++) {
                for (o = 0; o < c2; o++)
                    d[m][i][j][o] = 0.0;
                for (p = (i < 1 ? 1 - i : 0); p <= (h - i < 2 ? h - i : 2); p++)
                    for (q = (j < 1 ? 1 - j : 0); q <= (h - j < 2 ? h - j : 2); q++)
                        for (c = 0; c < c2; c++)
                            for (o = 0; o < c2; o++)
                                d[m][i][j][o] = d[m][i][j][o] + r[m][i + p - 1][j + q - 1][c] * w2[p][q][c][o];
            }
    for (i = 0; i < h; i++)
        for (j = 0; j < h; j++)
            for (o = 0; o < c2; o++) {
                mean = 0.0;
                for (m = 0; m < n; m++)
                    mean = mean + d[m][i][j][o];
                mean = mean / n;
                var = 0.0;
                for (m = 0; m < n; m++)
                    var = var + (d[m][i][j][o] - mean) * (d[m][i][j][o] - mean);
                scale = 1.0 / sqrt(sqrt(var / n) + 1.0e-5);
                for (m = 0; m < n; m++)
                    s[m][i][j][o] = fmax((d[m][i][j][o] - mean) * scale, 0.0);
            }
    for (m = 0; m < n; m++)
        for (i = 0; i < h; i++)
            for (j = 0; j < h; j++) {
                for (o = 0; o < c1; o++)
                    e[m][i][j][o] = 0.0;
                for (c = 0; c < c2; c++)
                    for (o = 0; o < c1; o++)
                        e[m][i][j][o] = e[m][i][j][o] + s[m][i][j][c] * w3[c][o];
            }
    for (i = 0; i < h; i++)
        for (j = 0; j < h; j++)
            for (o = 0; o < c1; o++) {
                mean = 0.0;
                for (m = 0; m < n; m++)
                    mean = mean + e[m][i][j][o];
                mean = mean / n;
                var = 0.0;
                for (m = 0; m < n; m++)
                    var = var + (e[m][i][j][o] - mean) * (e[m][i][j][o] - mean);
                scale = 1.0 / sqrt(sqrt(var / n) + 1.0e-5);
                for (m = 0; m < n; m++)
                    out[m][i][j][o] = fmax((e[m][i][j][o] - mean) * scale + x[m][i][j][o], 0.0);
            }
}
