/* a_rq := c4^T a_rq for each row of a cube, in place (NPBench doitgen).
 *
 * Linear in a: tape 0 bytes with respect to it.  With respect to c4 the old a, once: 8 nr nq np
 * bytes. */
void doitgen(int nr, int nq, int np, double a[nr][nq][np], double c4[np][np])
{
    double row[np];
    int r, q, p, s;

    for (r = 0; r < nr; r++)
        for (q = 0; q < nq; q++) {
            for (p = 0; p < np; p++) {
                row[p] = 0.0;
                for (s = 0; s < np; s++)
                    row[p] = row[p] + a[r][q][s] * c4[s][p];
            }
            for (p = 0; p < np; p++)
                a[r][q][p] = row[p];
        }
}
