/* Three-point average, ping-pong between a and b (NPBench jacobi_1d).
 *
 *   t = 1 .. tsteps-1:  b_i = c (a_{i-1} + a_i + a_{i+1}),  then  a_i = c (b_{i-1} + b_i + b_{i+1})
 *   for the interior i = 1 .. n-2, with c = 0.33333.
 *
 * Linear: the adjoint keeps nothing.  True tape: 0 bytes. */
void jacobi_1d(int tsteps, int n, double a[n], double b[n])
{
    int t, i;

    for (t = 1; t < tsteps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
        for (i = 1; i < n - 1; i++)
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
    }
}
