/* Gauss-Seidel sweeps with nine points, in place (NPBench seidel_2d).
 *
 *   t = 0 .. tsteps-2, i = 1 .. n-2:  first the seven neighbours that the row update may read at once
 *   are added to a_ij (ascending j: a_i,j+1 is still old), then a_ij = (a_ij + a_i,j-1) / 9.
 *
 * Linear, though each value is read and then overwritten.  True tape: 0 bytes. */
void seidel_2d(int tsteps, int n, double a[n][n])
{
    int t, i, j;

    for (t = 0; t < tsteps - 1; t++) {
        for (i = 1; i < n - 1; i++) {
            for (j = 1; j < n - 1; j++)
                a[i][j] = a[i][j] + (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j + 1]
                                     + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]);
            for (j = 1; j < n - 1; j++)
                a[i][j] = (a[i][j] + a[i][j - 1]) / 9.0;
        }
    }
}
