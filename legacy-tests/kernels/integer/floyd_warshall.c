/* Shortest paths between all pairs, with whole lengths (NPBench floyd_warshall). */
void floyd_warshall(int n, int path[n][n])
{
    int i, j, k;

    for (k = 0; k < n; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                if (path[i][k] + path[k][j] < path[i][j])
                    path[i][j] = path[i][k] + path[k][j];
}
