/* Stencils: every statement is linear, so its adjoint is the transposed statement; statements,
 * sweeps and time steps in reverse order.  Scatter form, plainly. */
#include "hand.h"

void jacobi_1d(int tsteps, int n, double a[n], double b[n]);
void jacobi_2d(int tsteps, int n, double a[n][n], double b[n][n]);
void heat_3d(int tsteps, int n, double a[n][n][n], double b[n][n][n]);
void seidel_2d(int tsteps, int n, double a[n][n]);
void fdtd_2d(int tmax, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
             double fict[tmax]);

/* Adjoint of to_i = c (from_{i-1} + from_i + from_{i+1}): each result hands its shadow to the three. */
static void reverse_average_1d(int n, double to_b[n], double from_b[n])
{
    for (int i = 1; i < n - 1; i++) {
        double g = 0.33333 * to_b[i];
        to_b[i] = 0.0;
        from_b[i - 1] += g;
        from_b[i] += g;
        from_b[i + 1] += g;
    }
}

void hand_jacobi_1d(int tsteps, int n, double a[n], double a_b[n], double b[n], double b_b[n])
{
    jacobi_1d(tsteps, n, a, b);
    for (int t = 1; t < tsteps; t++) {
        reverse_average_1d(n, a_b, b_b);
        reverse_average_1d(n, b_b, a_b);
    }
}

static void reverse_average_2d(int n, double to_b[n][n], double from_b[n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double g = 0.2 * to_b[i][j];
            to_b[i][j] = 0.0;
            from_b[i][j] += g;
            from_b[i][j - 1] += g;
            from_b[i][j + 1] += g;
            from_b[i - 1][j] += g;
            from_b[i + 1][j] += g;
        }
}

void hand_jacobi_2d(int tsteps, int n, double a[n][n], double a_b[n][n], double b[n][n],
                    double b_b[n][n])
{
    jacobi_2d(tsteps, n, a, b);
    for (int t = 1; t < tsteps; t++) {
        reverse_average_2d(n, a_b, b_b);
        reverse_average_2d(n, b_b, a_b);
    }
}

/* to = from + 1/8 (six neighbours - 6 from) = 1/4 from + 1/8 (six neighbours). */
static void reverse_heat_3d(int n, double to_b[n][n][n], double from_b[n][n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                double g = 0.125 * to_b[i][j][k];
                to_b[i][j][k] = 0.0;
                from_b[i][j][k] += 2.0 * g;
                from_b[i - 1][j][k] += g;
                from_b[i + 1][j][k] += g;
                from_b[i][j - 1][k] += g;
                from_b[i][j + 1][k] += g;
                from_b[i][j][k - 1] += g;
                from_b[i][j][k + 1] += g;
            }
}

void hand_heat_3d(int tsteps, int n, double a[n][n][n], double a_b[n][n][n], double b[n][n][n],
                  double b_b[n][n][n])
{
    heat_3d(tsteps, n, a, b);
    for (int t = 1; t < tsteps; t++) {
        reverse_heat_3d(n, a_b, b_b);
        reverse_heat_3d(n, b_b, a_b);
    }
}

/* The exactly reversed sweep, in place. */
void hand_seidel_2d(int tsteps, int n, double a[n][n], double a_b[n][n])
{
    seidel_2d(tsteps, n, a);
    for (int t = tsteps - 2; t >= 0; t--)
        for (int i = n - 2; i >= 1; i--) {
            for (int j = n - 2; j >= 1; j--) {
                double g = a_b[i][j] / 9.0;
                a_b[i][j] = g;
                a_b[i][j - 1] += g;
            }
            for (int j = n - 2; j >= 1; j--) {
                double g = a_b[i][j];
                for (int dj = -1; dj <= 1; dj++) {
                    a_b[i - 1][j + dj] += g;
                    a_b[i + 1][j + dj] += g;
                }
                a_b[i][j + 1] += g;
            }
        }
}

void hand_fdtd_2d(int tmax, int nx, int ny, double ex[nx][ny], double ex_b[nx][ny],
                  double ey[nx][ny], double ey_b[nx][ny], double hz[nx][ny], double hz_b[nx][ny],
                  double fict[tmax], double fict_b[tmax])
{
    fdtd_2d(tmax, nx, ny, ex, ey, hz, fict);
    for (int t = tmax - 1; t >= 0; t--) {
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++) {
                double g = 0.7 * hz_b[i][j];
                ex_b[i][j + 1] -= g;
                ex_b[i][j] += g;
                ey_b[i + 1][j] -= g;
                ey_b[i][j] += g;
            }
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++) {
                double g = 0.5 * ex_b[i][j];
                hz_b[i][j] -= g;
                hz_b[i][j - 1] += g;
            }
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++) {
                double g = 0.5 * ey_b[i][j];
                hz_b[i][j] -= g;
                hz_b[i - 1][j] += g;
            }
        for (int j = 0; j < ny; j++) {
            fict_b[t] += ey_b[0][j];
            ey_b[0][j] = 0.0;
        }
    }
}
