/* LeNet-5: two convolutions with ReLU and pooling by the largest of four, three dense layers (NPBench
 * lenet, in double precision; its reshape is an array of four dimensions here).
 *
 * Images have h = 2 p1 + 4 rows and columns, and p1 = 2 p2 + 4.  Activations are local arrays that
 * are still there: the masks follow from them, and so does which of the four is the largest.  True tape:
 * 0 bytes. */
#include <math.h>

void lenet(int n, int h, int p1, int p2,
           double x[n][h][h], double w1[5][5][6], double b1[6],
           double w2[5][5][6][16], double b2[16], double w3[p2][p2][16][120], double b3[120],
           double w4[120][84], double b4[84], double w5[84][10], double b5[10], double out[n][10])
{
    double a1[n][2 * p1][2 * p1][6], q1[n][p1][p1][6];
    double a2[n][2 * p2][2 * p2][16], q2[n][p2][p2][16];
    double f1[n][120], f2[n][84];
    int m, i, j, a, b, c, o;

    for (m = 0; m < n; m++) {
        for (i = 0; i < 2 * p1; i++)
            for (j = 0; j < 2 * p1; j++) {
                for (o = 0; o < 6; o++)
                    a1[m][i][j][o] = b1[o];
                for (a = 0; a < 5; a++)
                    for (b = 0; b < 5; b++)
                        for (o = 0; o < 6; o++)
                            a1[m][i][j][o] = a1[m][i][j][o] + x[m][i + a][j + b] * w1[a][b][o];
                for (o = 0; o < 6; o++)
                    a1[m][i][j][o] = fmax(a1[m][i][j][o], 0.0);
            }
        for (i = 0; i < p1; i++)
            for (j = 0; j < p1; j++)
                for (o = 0; o < 6; o++)
                    q1[m][i][j][o] = fmax(fmax(a1[m][2 * i][2 * j][o], a1[m][2 * i][2 * j + 1][o]),
                                          fmax(a1[m][2 * i + 1][2 * j][o], a1[m][2 * i + 1][2 * j + 1][o]));
        for (i = 0; i < 2 * p2; i++)
            for (j = 0; j < 2 * p2; j++) {
                for (o = 0; o < 16; o++)
                    a2[m][i][j][o] = b2[o];
                for (a = 0; a < 5; a++)
                    for (b = 0; b < 5; b++)
                        for (c = 0; c < 6; c++)
                            for (o = 0; o < 16; o++)
                                a2[m][i][j][o] = a2[m][i][j][o]
                                    + q1[m][i + a][j + b][c] * w2[a][b][c][o];
                for (o = 0; o < 16; o++)
                    a2[m][i][j][o] = fmax(a2[m][i][j][o], 0.0);
            }
        for (i = 0; i < p2; i++)
            for (j = 0; j < p2; j++)
                for (o = 0; o < 16; o++)
                    q2[m][i][j][o] = fmax(fmax(a2[m][2 * i][2 * j][o], a2[m][2 * i][2 * j + 1][o]),
                                          fmax(a2[m][2 * i + 1][2 * j][o], a2[m][2 * i + 1][2 * j + 1][o]));
        for (o = 0; o < 120; o++)
            f1[m][o] = b3[o];
        for (i = 0; i < p2; i++)
            for (j = 0; j < p2; j++)
                for (c = 0; c < 16; c++)
                    for (o = 0; o < 120; o++)
                        f1[m][o] = f1[m][o] + q2[m][i][j][c] * w3[i][j][c][o];
        for (o = 0; o < 120; o++)
            f1[m][o] = fmax(f1[m][o], 0.0);
        for (o = 0; o < 84; o++)
            f2[m][o] = b4[o];
        for (c = 0; c < 120; c++)
            for (o = 0; o < 84; o++)
                f2[m][o] = f2[m][o] + f1[m][c] * w4[c][o];
        for (o = 0; o < 84; o++)
            f2[m][o] = fmax(f2[m][o], 0.0);
        for (o = 0; o < 10; o++)
            out[m][o] = b5[o];
        for (c = 0; c < 84; c++)
            for (o = 0; o < 10; o++)
                out[m][o] = out[m][o] + f2[m][c] * w5[c][o];
    }
}
