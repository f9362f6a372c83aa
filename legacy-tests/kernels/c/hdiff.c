/* Horizontal diffusion with a flux limiter (NPBench hdiff).
 *
 *   lap = 4 x - (x_{i+1} + x_{i-1} + x_{j+1} + x_{j-1});  fx = lap_{i+1} - lap_i, fy = lap_{j+1} - lap_j,
 *   each zero where it has the sign of the same difference of x;
 *   out = x - c (fx - fx_{i-1} + fy - fy_{j-1}).
 *
 * The limiter's conditions read x only, and fluxes are still there.  True tape: 0 bytes. */
void hdiff(int ni, int nj, int nk, double x[ni + 4][nj + 4][nk], double out[ni][nj][nk],
           double c[ni][nj][nk])
{
    double lap[ni + 2][nj + 2][nk], fx[ni + 1][nj][nk], fy[ni][nj + 1][nk];
    double d;
    int i, j, k;

    for (i = 0; i < ni + 2; i++)
        for (j = 0; j < nj + 2; j++)
            for (k = 0; k < nk; k++)
                lap[i][j][k] = 4.0 * x[i + 1][j + 1][k]
                    - (x[i + 2][j + 1][k] + x[i][j + 1][k] + x[i + 1][j + 2][k] + x[i + 1][j][k]);
    for (i = 0; i < ni + 1; i++)
        for (j = 0; j < nj; j++)
            for (k = 0; k < nk; k++) {
                d = lap[i + 1][j + 1][k] - lap[i][j + 1][k];
                if (d * (x[i + 2][j + 2][k] - x[i + 1][j + 2][k]) > 0.0)
                    d = 0.0;
                fx[i][j][k] = d;
            }
    for (i = 0; i < ni; i++)
        for (j = 0; j < nj + 1; j++)
            for (k = 0; k < nk; k++) {
                d = lap[i + 1][j + 1][k] - lap[i + 1][j][k];
                if (d * (x[i + 2][j + 2][k] - x[i + 2][j + 1][k]) > 0.0)
                    d = 0.0;
                fy[i][j][k] = d;
            }
    for (i = 0; i < ni; i++)
        for (j = 0; j < nj; j++)
            for (k = 0; k < nk; k++)
                out[i][j][k] = x[i + 2][j + 2][k]
                    - c[i][j][k] * (fx[i + 1][j][k] - fx[i][j][k] + fy[i][j + 1][k] - fy[i][j][k]);
}
