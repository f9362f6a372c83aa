/* Three dense layers, ReLU after two of them, softmax at the end (NPBench mlp, in double precision).
 *
 * Activations are local arrays that are still there, and tell the masks.  Kept are the running maximum and
 * the sum of each sample, 8 n (s2 + 1) bytes. */
#include <math.h>

void mlp(int n, int cin, int s0, int s1, int s2, double x[n][cin], double w1[cin][s0],
         double b1[s0], double w2[s0][s1], double b2[s1], double w3[s1][s2], double b3[s2],
         double out[n][s2])
{
    double h1[n][s0], h2[n][s1], h3[n][s2], e[n][s2];
    double most, total;
    int i, j, k;

    for (i = 0; i < n; i++) {
        for (j = 0; j < s0; j++)
            h1[i][j] = b1[j];
        for (k = 0; k < cin; k++)
            for (j = 0; j < s0; j++)
                h1[i][j] = h1[i][j] + x[i][k] * w1[k][j];
        for (j = 0; j < s0; j++)
            h1[i][j] = fmax(h1[i][j], 0.0);
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < s1; j++)
            h2[i][j] = b2[j];
        for (k = 0; k < s0; k++)
            for (j = 0; j < s1; j++)
                h2[i][j] = h2[i][j] + h1[i][k] * w2[k][j];
        for (j = 0; j < s1; j++)
            h2[i][j] = fmax(h2[i][j], 0.0);
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < s2; j++)
            h3[i][j] = b3[j];
        for (k = 0; k < s1; k++)
            for (j = 0; j < s2; j++)
                h3[i][j] = h3[i][j] + h2[i][k] * w3[k][j];
        most = h3[i][0];
        for (j = 1; j < s2; j++)
            most = fmax(most, h3[i][j]);
        total = 0.0;
        for (j = 0; j < s2; j++) {
            e[i][j] = exp(h3[i][j] - most);
            total = total + e[i][j];
        }
        for (j = 0; j < s2; j++)
            out[i][j] = e[i][j] / total;
    }
}
