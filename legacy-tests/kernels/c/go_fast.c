#include <math.h>

/* out = a + sum_i tanh(a_ii), the sum added to every element (NPBench go_fast).
 *
 * tanh' = 1 - tanh^2 can be had again from a, an input.  True tape: 0 bytes. */
void go_fast(int n, double a[n][n], double out[n][n])
{
    double trace;
    int i, j;

    trace = 0.0;
    for (i = 0; i < n; i++)
        trace = trace + tanh(a[i][i]);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            out[i][j] = a[i][j] + trace;
}
