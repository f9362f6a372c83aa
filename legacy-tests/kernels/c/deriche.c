/* Recursive edge filter, forwards and backwards along both axes (NPBench deriche).
 *
 *   y1_j = a1 x_j + a2 x_{j-1} + b1 y1_{j-1} + b2 y1_{j-2},
 *   y2_j = a3 x_{j+1} + a4 x_{j+2} + b1 y2_{j+1} + b2 y2_{j+2},  y = y1 + y2,
 *   then the same along the other axis, with a5 .. a8.
 *
 * Linear in x.  True tape: 0 bytes. */
#include <math.h>

void deriche(int w, int h, double alpha, double x[w][h], double out[w][h])
{
    double y1[w][h], y2[w][h];
    double k, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2;
    int i, j;

    k = (1.0 - exp(-alpha)) * (1.0 - exp(-alpha))
        / (1.0 + alpha * exp(-alpha) - exp(2.0 * alpha));
    a1 = k;
    a5 = k;
    a2 = k * exp(-alpha) * (alpha - 1.0);
    a6 = a2;
    a3 = k * exp(-alpha) * (alpha + 1.0);
    a7 = a3;
    a4 = -k * exp(-2.0 * alpha);
    a8 = a4;
    b1 = exp(-alpha * 0.6931471805599453);
    b2 = -exp(-2.0 * alpha);
    c1 = 1.0;
    c2 = 1.0;
    for (i = 0; i < w; i++) {
        y1[i][0] = a1 * x[i][0];
        y1[i][1] = a1 * x[i][1] + a2 * x[i][0] + b1 * y1[i][0];
        for (j = 2; j < h; j++)
            y1[i][j] = a1 * x[i][j] + a2 * x[i][j - 1] + b1 * y1[i][j - 1] + b2 * y1[i][j - 2];
        y2[i][h - 1] = 0.0;
        y2[i][h - 2] = a3 * x[i][h - 1];
        for (j = h - 3; j >= 0; j--)
            y2[i][j] = a3 * x[i][j + 1] + a4 * x[i][j + 2] + b1 * y2[i][j + 1] + b2 * y2[i][j + 2];
        for (j = 0; j < h; j++)
            out[i][j] = c1 * (y1[i][j] + y2[i][j]);
    }
    for (j = 0; j < h; j++) {
        y1[0][j] = a5 * out[0][j];
        y1[1][j] = a5 * out[1][j] + a6 * out[0][j] + b1 * y1[0][j];
        y2[w - 1][j] = 0.0;
        y2[w - 2][j] = a7 * out[w - 1][j];
    }
    for (i = 2; i < w; i++)
        for (j = 0; j < h; j++)
            y1[i][j] = a5 * out[i][j] + a6 * out[i - 1][j] + b1 * y1[i - 1][j] + b2 * y1[i - 2][j];
    for (i = w - 3; i >= 0; i--)
        for (j = 0; j < h; j++)
            y2[i][j] = a7 * out[i + 1][j] + a8 * out[i + 2][j] + b1 * y2[i + 1][j] + b2 * y2[i + 2][j];
    for (i = 0; i < w; i++)
        for (j = 0; j < h; j++)
            out[i][j] = c2 * (y1[i][j] + y2[i][j]);
}
