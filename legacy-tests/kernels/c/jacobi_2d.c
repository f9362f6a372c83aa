/* Five-point average, ping-pong between a and b (NPBench jacobi_2d).
 *
 *   t = 1 .. tsteps-1:  b_ij = 0.2 (a_ij + a_i,j-1 + a_i,j+1 + a_i+1,j + a_i-1,j),  then a from b,
 *   for the interior.
 *
 * Linear: the adjoint keeps nothing.  True tape: 0 bytes. */
void jacobi_2d(int tsteps, int n, double a[n][n], double b[n][n])
{
    int t, i, j;

    for (t = 1; t < tsteps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
    }
}
