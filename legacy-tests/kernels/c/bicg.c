/* s = r A and q = A p in one pass over A, which is n x m (NPBench bicg).
 *
 * Products of inputs only.  True tape: 0 bytes. */
void bicg(int n, int m, double a[n][m], double p[m], double r[n], double s[m], double q[n])
{
    int i, j;

    for (j = 0; j < m; j++)
        s[j] = 0.0;
    for (i = 0; i < n; i++) {
        q[i] = 0.0;
        for (j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * a[i][j];
            q[i] = q[i] + a[i][j] * p[j];
        }
    }
}
