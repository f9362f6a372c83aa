/* Products, solves and factorisations.  x_b stands for the derivative with respect to x; outer
 * products of matrices and vectors are written as loops. */
#include "hand.h"

#include <math.h>

void gemm(int ni, int nj, int nk, double alpha, double beta, double c[ni][nj], double a[ni][nk],
          double b[nk][nj]);
void atax(int m, int n, double a[m][n], double x[n], double y[n]);
void bicg(int n, int m, double a[n][m], double p[m], double r[n], double s[m], double q[n]);
void mvt(int n, double x1[n], double x2[n], double y1[n], double y2[n], double a[n][n]);
void gesummv(int n, double alpha, double beta, double a[n][n], double b[n][n], double x[n],
             double y[n]);
void go_fast(int n, double a[n][n], double out[n][n]);
void trisolv(int n, double l[n][n], double x[n], double b[n]);
void cholesky(int n, double a[n][n]);
void lu(int n, double a[n][n]);

/* a_b += alpha c_b b^T,  b_b += alpha a^T c_b,  c_b := beta c_b. */
void hand_gemm(int ni, int nj, int nk, double alpha, double beta, double c[ni][nj],
               double c_b[ni][nj], double a[ni][nk], double a_b[ni][nk], double b[nk][nj],
               double b_b[nk][nj])
{
    gemm(ni, nj, nk, alpha, beta, c, a, b);
    for (int i = 0; i < ni; i++) {
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++) {
                a_b[i][k] += alpha * c_b[i][j] * b[k][j];
                b_b[k][j] += alpha * a[i][k] * c_b[i][j];
            }
        for (int j = 0; j < nj; j++)
            c_b[i][j] *= beta;
    }
}

/* With t = a x:  t_b = a y_b,  a_b += t y_b^T + t_b x^T,  x_b += a^T t_b. */
void hand_atax(int m, int n, double a[m][n], double a_b[m][n], double x[n], double x_b[n],
               double y[n], double y_b[n])
{
    atax(m, n, a, x, y);
    for (int i = 0; i < m; i++) {
        double t = 0.0, t_b = 0.0;
        for (int j = 0; j < n; j++) {
            t += a[i][j] * x[j];
            t_b += a[i][j] * y_b[j];
        }
        for (int j = 0; j < n; j++) {
            a_b[i][j] += t * y_b[j] + t_b * x[j];
            x_b[j] += a[i][j] * t_b;
        }
    }
    for (int j = 0; j < n; j++)
        y_b[j] = 0.0;
}

/* a_b += r s_b^T + q_b p^T,  r_b += a s_b,  p_b += a^T q_b. */
void hand_bicg(int n, int m, double a[n][m], double a_b[n][m], double p[m], double p_b[m],
               double r[n], double r_b[n], double s[m], double s_b[m], double q[n], double q_b[n])
{
    bicg(n, m, a, p, r, s, q);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            a_b[i][j] += r[i] * s_b[j] + q_b[i] * p[j];
            r_b[i] += a[i][j] * s_b[j];
            p_b[j] += a[i][j] * q_b[i];
        }
        q_b[i] = 0.0;
    }
    for (int j = 0; j < m; j++)
        s_b[j] = 0.0;
}

/* a_b += x1_b y1^T + y2 x2_b^T,  y1_b += a^T x1_b,  y2_b += a x2_b. */
void hand_mvt(int n, double x1[n], double x1_b[n], double x2[n], double x2_b[n], double y1[n],
              double y1_b[n], double y2[n], double y2_b[n], double a[n][n], double a_b[n][n])
{
    mvt(n, x1, x2, y1, y2, a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a_b[i][j] += x1_b[i] * y1[j] + y2[i] * x2_b[j];
            y1_b[j] += a[i][j] * x1_b[i];
            y2_b[i] += a[i][j] * x2_b[j];
        }
}

/* a_b += alpha y_b x^T,  b_b += beta y_b x^T,  x_b += (alpha a + beta b)^T y_b. */
void hand_gesummv(int n, double alpha, double beta, double a[n][n], double a_b[n][n],
                  double b[n][n], double b_b[n][n], double x[n], double x_b[n], double y[n],
                  double y_b[n])
{
    gesummv(n, alpha, beta, a, b, x, y);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a_b[i][j] += alpha * y_b[i] * x[j];
            b_b[i][j] += beta * y_b[i] * x[j];
            x_b[j] += (alpha * a[i][j] + beta * b[i][j]) * y_b[i];
        }
        y_b[i] = 0.0;
    }
}

/* a_b += out_b,  and on the diagonal (1 - tanh^2) times the sum of out_b. */
void hand_go_fast(int n, double a[n][n], double a_b[n][n], double out[n][n], double out_b[n][n])
{
    double total = 0.0;

    go_fast(n, a, out);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            total += out_b[i][j];
            a_b[i][j] += out_b[i][j];
            out_b[i][j] = 0.0;
        }
    for (int i = 0; i < n; i++) {
        double th = tanh(a[i][i]);
        a_b[i][i] += (1.0 - th * th) * total;
    }
}

/* Back substitution with the transposed matrix. */
void hand_trisolv(int n, double l[n][n], double l_b[n][n], double x[n], double x_b[n], double b[n],
                  double b_b[n])
{
    trisolv(n, l, x, b);
    for (int i = n - 1; i >= 0; i--) {
        double w = x_b[i] / l[i][i];
        x_b[i] = 0.0;
        b_b[i] += w;
        l_b[i][i] -= w * x[i];
        for (int j = 0; j < i; j++) {
            l_b[i][j] -= w * x[j];
            x_b[j] -= w * l[i][j];
        }
    }
}

/* Every value needed is one of the factor; a_b goes from the factor's to the matrix's shadow. */
void hand_cholesky(int n, double a[n][n], double a_b[n][n])
{
    cholesky(n, a);
    for (int i = n - 1; i >= 0; i--) {
        double w = a_b[i][i] / (2.0 * a[i][i]);
        a_b[i][i] = w;
        for (int k = 0; k < i; k++)
            a_b[i][k] -= 2.0 * w * a[i][k];
        for (int j = i - 1; j >= 0; j--) {
            w = a_b[i][j] / a[j][j];
            a_b[i][j] = w;
            a_b[j][j] -= w * a[i][j];
            for (int k = 0; k < j; k++) {
                a_b[i][k] -= w * a[j][k];
                a_b[j][k] -= w * a[i][k];
            }
        }
    }
}

void hand_lu(int n, double a[n][n], double a_b[n][n])
{
    lu(n, a);
    for (int i = n - 1; i >= 0; i--) {
        for (int j = n - 1; j >= i; j--)
            for (int k = 0; k < i; k++) {
                a_b[i][k] -= a_b[i][j] * a[k][j];
                a_b[k][j] -= a_b[i][j] * a[i][k];
            }
        for (int j = i - 1; j >= 0; j--) {
            double w = a_b[i][j] / a[j][j];
            a_b[i][j] = w;
            a_b[j][j] -= w * a[i][j];
            for (int k = 0; k < j; k++) {
                a_b[i][k] -= w * a[k][j];
                a_b[k][j] -= w * a[i][k];
            }
        }
    }
}
