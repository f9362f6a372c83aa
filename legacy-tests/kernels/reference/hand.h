#ifndef HAND_H
#define HAND_H

/* Adjoints written by hand from the formulas, with the contract of a generated procedure: inputs'
 * shadows are incremented, outputs' shadows are consumed, in-out shadows transformed; the primal
 * results are left as well.  Work arrays, neither inputs nor outputs of the head, have no shadow.
 * They are what generated gradients are compared with. */

void hand_jacobi_1d(int tsteps, int n, double a[n], double a_b[n], double b[n], double b_b[n]);
void hand_jacobi_2d(int tsteps, int n, double a[n][n], double a_b[n][n], double b[n][n],
                    double b_b[n][n]);
void hand_heat_3d(int tsteps, int n, double a[n][n][n], double a_b[n][n][n], double b[n][n][n],
                  double b_b[n][n][n]);
void hand_seidel_2d(int tsteps, int n, double a[n][n], double a_b[n][n]);
void hand_fdtd_2d(int tmax, int nx, int ny, double ex[nx][ny], double ex_b[nx][ny],
                  double ey[nx][ny], double ey_b[nx][ny], double hz[nx][ny], double hz_b[nx][ny],
                  double fict[tmax], double fict_b[tmax]);

void hand_gemm(int ni, int nj, int nk, double alpha, double beta, double c[ni][nj],
               double c_b[ni][nj], double a[ni][nk], double a_b[ni][nk], double b[nk][nj],
               double b_b[nk][nj]);
void hand_atax(int m, int n, double a[m][n], double a_b[m][n], double x[n], double x_b[n],
               double y[n], double y_b[n]);
void hand_bicg(int n, int m, double a[n][m], double a_b[n][m], double p[m], double p_b[m],
               double r[n], double r_b[n], double s[m], double s_b[m], double q[n], double q_b[n]);
void hand_mvt(int n, double x1[n], double x1_b[n], double x2[n], double x2_b[n], double y1[n],
              double y1_b[n], double y2[n], double y2_b[n], double a[n][n], double a_b[n][n]);
void hand_gesummv(int n, double alpha, double beta, double a[n][n], double a_b[n][n],
                  double b[n][n], double b_b[n][n], double x[n], double x_b[n], double y[n],
                  double y_b[n]);
void hand_go_fast(int n, double a[n][n], double a_b[n][n], double out[n][n], double out_b[n][n]);
void hand_trisolv(int n, double l[n][n], double l_b[n][n], double x[n], double x_b[n], double b[n],
                  double b_b[n]);
void hand_cholesky(int n, double a[n][n], double a_b[n][n]);
void hand_lu(int n, double a[n][n], double a_b[n][n]);

void hand_heat(int n, int nt, double *u, double *u_b, double *v, double *s, double s_b);
void hand_burgers(int n, int nt, double *u, double *u_b, double *v, double *s, double s_b);
void hand_seidel(int n, int nt, double *a, double *a_b, double *s, double s_b);
void hand_gemm_sq(int n, double *a, double *a_b, double *b, double *b_b, double *c, double *s,
                  double s_b);
void hand_lorenz(int nsteps, double dt, double *p, double *p_b, double *r, double r_b);
void hand_pointwise(int n, double *x, double *x_b, double *s, double s_b);

#endif
