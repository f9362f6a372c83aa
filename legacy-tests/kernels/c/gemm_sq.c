/* C = A B for square matrices; the value is the sum of squares of C.
 *
 * A and B are inputs, C is final.  True tape: 0 bytes. */
double gemm_sq(int n, double *a, double *b, double *c)
{
    double s = 0.0;

    for (int k = 0; k < n * n; k++)
        c[k] = 0.0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
    for (int k = 0; k < n * n; k++)
        s += c[k] * c[k];
    return s;
}
