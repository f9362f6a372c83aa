/* Moments of a resolvent along a contour: a dense complex solve at each point (NPBench
 * contour_integral).
 *
 *   t = z h_0 + h_1 + h_2 / z,  t x = y,  s = -1 where |z| < 1, else 1;  p0 += s x,  p1 += s z x.
 *
 * Points are independent and each is reversed as soon as it has run: its factors and its solution are
 * still there.  The solve is Gauss's elimination without pivoting.  True tape: 0 bytes. */
#include <complex.h>

void contour_integral(int nr, int nm, int np, double complex pts[np], double complex h[3][nr][nr],
                      double complex y[nr][nm], double complex p0[nr][nm],
                      double complex p1[nr][nm])
{
    double complex t[nr][nr], w[nr][nm], x[nr][nm];
    double complex z;
    int e, i, j, k;

    for (i = 0; i < nr; i++)
        for (j = 0; j < nm; j++) {
            p0[i][j] = 0.0;
            p1[i][j] = 0.0;
        }
    for (e = 0; e < np; e++) {
        z = pts[e];
        for (i = 0; i < nr; i++) {
            for (j = 0; j < nr; j++)
                t[i][j] = z * h[0][i][j] + h[1][i][j] + h[2][i][j] / z;
            for (j = 0; j < nm; j++)
                w[i][j] = y[i][j];
        }
        for (i = 0; i < nr; i++) {
            for (j = 0; j < i; j++) {
                for (k = 0; k < j; k++)
                    t[i][j] = t[i][j] - t[i][k] * t[k][j];
                t[i][j] = t[i][j] / t[j][j];
            }
            for (j = i; j < nr; j++)
                for (k = 0; k < i; k++)
                    t[i][j] = t[i][j] - t[i][k] * t[k][j];
        }
        for (i = 0; i < nr; i++)
            for (k = 0; k < i; k++)
                for (j = 0; j < nm; j++)
                    w[i][j] = w[i][j] - t[i][k] * w[k][j];
        for (i = nr - 1; i >= 0; i--) {
            for (j = 0; j < nm; j++)
                x[i][j] = w[i][j];
            for (k = i + 1; k < nr; k++)
                for (j = 0; j < nm; j++)
                    x[i][j] = x[i][j] - t[i][k] * x[k][j];
            for (j = 0; j < nm; j++)
                x[i][j] = x[i][j] / t[i][i];
        }
        if (cabs(z) < 1.0) {
            for (i = 0; i < nr; i++)
                for (j = 0; j < nm; j++) {
                    p0[i][j] = p0[i][j] - x[i][j];
                    p1[i][j] = p1[i][j] - z * x[i][j];
                }
        } else {
            for (i = 0; i < nr; i++)
                for (j = 0; j < nm; j++) {
                    p0[i][j] = p0[i][j] + x[i][j];
                    p1[i][j] = p1[i][j] + z * x[i][j];
                }
        }
    }
}
