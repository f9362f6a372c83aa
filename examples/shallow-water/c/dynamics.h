#ifndef DYNAMICS_H
#define DYNAMICS_H

/* One time step of the rotating shallow-water equations in vector-invariant form,
 *
 *   du/dt =  q V - d/dx (g (h + b) + (u^2 + v^2)/2) - r u
 *   dv/dt = -q U - d/dy (g (h + b) + (u^2 + v^2)/2) - r v
 *   dh/dt = -dU/dx - dV/dy,       U = h u,  V = h v,  q = (f + dv/dx - du/dy) / h,
 *
 * on the C grid: h[j][i] in the cell's centre, u[j][i] on its western, v[j][i] on its southern face.
 * The channel is periodic in x (columns 0 and nx+1 repeat nx and 1) and has free-slip walls in y. */

/* Runge-Kutta step of third order (Wicker and Skamarock), state in and out. */
void step(int nx, int ny, double bottom[ny][nx + 2], double h[ny][nx + 2], double u[ny][nx + 2],
          double v[ny + 1][nx + 2]);

/* The right-hand sides in the interior. */
void tendencies(int nx, int ny, double bottom[ny][nx + 2], double h[ny][nx + 2],
                double u[ny][nx + 2], double v[ny + 1][nx + 2], double dh[ny][nx + 2],
                double du[ny][nx + 2], double dv[ny + 1][nx + 2]);

/* result := a + time * rate in the interior, then the repeated columns. */
void advance(int nx, int m, double time, double rate[m][nx + 2], double a[m][nx + 2],
             double result[m][nx + 2]);

/* Repeats the last column west of the first one, and the first one east of the last. */
void wrap(int nx, int m, double a[m][nx + 2]);

#endif
