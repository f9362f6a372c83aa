/* Pointers to rows and to whole matrices, of constant and of variable length. */
#include <stdlib.h>

static void square(int n, double c[n][n], double a[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * a[k][j];
        }
}

static void square3(double c[3][3], double (*a)[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 3; k++)
                c[i][j] += a[i][k] * a[k][j];
        }
}

/* An array seen as a matrix. */
double seen_as_matrix(int n, double x[])
{
    double (*a)[n] = (double (*)[n]) x;
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += a[i][j] * a[j][i] * (i + 1);
    return s;
}

double allocated_rows(int n, double x[])
{
    double (*a)[n] = malloc(sizeof(double[n][n]));
    double (*c)[n] = (double (*)[n]) calloc(n, n * sizeof(double));
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = x[i * n + j] * x[j];
    square(n, c, a);
    for (int i = 0; i < n; i++)
        s += c[i][n - 1 - i] * a[0][i];
    free(a);
    free(c);
    return s;
}

double allocated_matrix(double x[9])
{
    double (*a)[3][3];
    double c[3][3], s = 0;
    a = (double (*)[3][3]) malloc(9 * sizeof(double));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            (*a)[i][j] = x[i * 3 + j] * x[j];
    square3(c, *a);
    for (int i = 0; i < 3; i++)
        s += c[i][2 - i] * (*a)[0][i];
    free((void *) a);
    return s;
}

/* A pointer that walks over rows. */
double walking(double x[9])
{
    double (*a)[3] = (double (*)[3]) x;
    double (*r)[3] = a;
    double c[3][3], s = 0;
    square3(c, a);
    for (int i = 0; i < 3; i++, r++)
        s += c[i][2 - i] * (*r)[i] * r[0][2];
    return s;
}
