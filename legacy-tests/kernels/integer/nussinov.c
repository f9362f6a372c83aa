/* Most pairs of bases that a folded sequence can have (NPBench nussinov). */
static int larger(int a, int b)
{
    return a > b ? a : b;
}

void nussinov(int n, int seq[n], int table[n][n])
{
    int i, j, k, pair;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            table[i][j] = 0;
    for (i = n - 2; i >= 0; i--)
        for (j = i + 1; j < n; j++) {
            table[i][j] = larger(table[i][j], larger(table[i][j - 1], table[i + 1][j]));
            pair = i < j - 1 && seq[i] + seq[j] == 3;
            table[i][j] = larger(table[i][j], table[i + 1][j - 1] + pair);
            for (k = i + 1; k < j; k++)
                table[i][j] = larger(table[i][j], table[i][k] + table[k + 1][j]);
        }
}
