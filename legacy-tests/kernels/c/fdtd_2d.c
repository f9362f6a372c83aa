/* Maxwell's equations on a staggered grid, in place (NPBench fdtd_2d).
 *
 *   each t:  ey_0j = fict_t;  ey_ij -= 1/2 (hz_ij - hz_{i-1,j});  ex_ij -= 1/2 (hz_ij - hz_{i,j-1});
 *            hz_ij -= 7/10 (ex_{i,j+1} - ex_ij + ey_{i+1,j} - ey_ij)
 *
 * Linear; row 0 of ey is overwritten in each step, which ends its adjoint there.
 * True tape: 0 bytes. */
void fdtd_2d(int tmax, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
             double fict[tmax])
{
    int t, i, j;

    for (t = 0; t < tmax; t++) {
        for (j = 0; j < ny; j++)
            ey[0][j] = fict[t];
        for (i = 1; i < nx; i++)
            for (j = 0; j < ny; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (i = 0; i < nx; i++)
            for (j = 1; j < ny; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (i = 0; i < nx - 1; i++)
            for (j = 0; j < ny - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
