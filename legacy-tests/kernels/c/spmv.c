/* y = a x, a in compressed rows (NPBench spmv).
 *
 * Linear in the values of a and in x; the structure is read again.  True tape: 0 bytes. */
void spmv(int m, int n, int nnz, int row[m + 1], int col[nnz], double val[nnz], double x[n],
          double y[m])
{
    int i, k, last;

    for (i = 0; i < m; i++) {
        y[i] = 0.0;
        last = row[i + 1] - 1;
        for (k = row[i]; k <= last; k++)
            y[i] = y[i] + val[k] * x[col[k]];
    }
}
