/* Shortest paths between all pairs, with real lengths (NPBench floyd_warshall, which has integers).
 *
 * Each minimum is a decision that the backward sweep needs: n^3 of them. */
#include <math.h>

void floyd_warshall(int n, double path[n][n])
{
    int i, j, k;

    for (k = 0; k < n; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                path[i][j] = fmin(path[i][j], path[i][k] + path[k][j]);
}
