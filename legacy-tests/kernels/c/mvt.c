/* x1 += A y1 and x2 += y2 A (NPBench mvt).
 *
 * x1 and x2 are only incremented.  True tape: 0 bytes. */
void mvt(int n, double x1[n], double x2[n], double y1[n], double y2[n], double a[n][n])
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            x1[i] = x1[i] + a[i][j] * y1[j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            x2[j] = x2[j] + a[i][j] * y2[i];
}
