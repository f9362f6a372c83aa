/* Implicit vertical advection of velocity tendencies, a tridiagonal solve per column (NPBench vadv).
 *
 *   w_k = wcon_{i+1} + wcon_i;  below and above: as = -w_k / 8, cs = w_{k+1} / 8,
 *   (b - cc_{k-1} as) cc_k = cs,  (b - cc_{k-1} as) dc_k = d_k - dc_{k-1} as,  b = dtr - as - cs,
 *   d_k = dtr upos + utens + ustage_tendency - as (u_{k-1} - u_k) - cs (u_{k+1} - u_k),
 *   x_k = dc_k - cc_k x_{k+1},  tendency = dtr (x_k - upos).
 *
 * With coefficients that vary, what the column's solve needs is one column of intermediate values, run
 * again column by column. */
void vadv(int ni, int nj, int nk, double tendency[ni][nj][nk], double ustage[ni][nj][nk],
          double wcon[ni + 1][nj][nk], double upos[ni][nj][nk], double utens[ni][nj][nk])
{
    double cc[ni][nj][nk], dc[ni][nj][nk], x[ni][nj];
    double dtr, as, cs, divided, correction;
    int i, j, k;

    dtr = 3.0 / 20.0;
    for (k = 0; k < nk; k++)
        for (i = 0; i < ni; i++)
            for (j = 0; j < nj; j++) {
                as = 0.0;
                cs = 0.0;
                correction = 0.0;
                if (k > 0) {
                    as = -0.125 * (wcon[i + 1][j][k] + wcon[i][j][k]);
                    correction = correction - as * (ustage[i][j][k - 1] - ustage[i][j][k]);
                }
                if (k < nk - 1) {
                    cs = 0.125 * (wcon[i + 1][j][k + 1] + wcon[i][j][k + 1]);
                    correction = correction - cs * (ustage[i][j][k + 1] - ustage[i][j][k]);
                }
                cc[i][j][k] = cs;
                dc[i][j][k] = dtr * upos[i][j][k] + utens[i][j][k] + tendency[i][j][k] + correction;
                if (k > 0) {
                    divided = 1.0 / (dtr - as - cs - cc[i][j][k - 1] * as);
                    dc[i][j][k] = (dc[i][j][k] - dc[i][j][k - 1] * as) * divided;
                } else {
                    divided = 1.0 / (dtr - as - cs);
                    dc[i][j][k] = dc[i][j][k] * divided;
                }
                cc[i][j][k] = cc[i][j][k] * divided;
            }
    for (k = nk - 1; k >= 0; k--)
        for (i = 0; i < ni; i++)
            for (j = 0; j < nj; j++) {
                if (k == nk - 1)
                    x[i][j] = dc[i][j][k];
                else
                    x[i][j] = dc[i][j][k] - cc[i][j][k] * x[i][j];
                tendency[i][j][k] = dtr * (x[i][j] - upos[i][j][k]);
            }
}
