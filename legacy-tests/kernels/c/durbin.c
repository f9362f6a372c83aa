/* Levinson-Durbin recursion for a Toeplitz system (NPBench durbin).
 *
 *   k = 1 .. n-1:  beta *= 1 - alpha^2,  alpha = -(r_k + sum_{i<k} r_{k-1-i} y_i) / beta,
 *   y_i += alpha y_{k-1-i} for i < k,  y_k = alpha.
 *
 * Each step needs y of before it: the history of y, n (n-1) / 2 values, or steps that run again. */
void durbin(int n, double r[n], double y[n])
{
    double z[n];
    double alpha, beta, total;
    int i, k;

    y[0] = -r[0];
    alpha = -r[0];
    beta = 1.0;
    for (k = 1; k < n; k++) {
        beta = (1.0 - alpha * alpha) * beta;
        total = r[k];
        for (i = 0; i < k; i++)
            total = total + r[k - 1 - i] * y[i];
        alpha = -total / beta;
        for (i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - 1 - i];
        for (i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}
