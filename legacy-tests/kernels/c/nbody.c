/* Bodies that attract each other, softened, by the kick-drift-kick scheme (NPBench nbody, written from
 * the physics).
 *
 *   a_i = g sum_j m_j (x_j - x_i) (|x_j - x_i|^2 + eps^2)^{-3/2};  v += a dt/2, x += v dt, a = a(x),
 *   v += a dt/2;  energies: sum m v^2 / 2 and -g sum_{i<j} m_i m_j / |x_j - x_i| after each step.
 *
 * A step needs the positions of before it, 24 n bytes, and the velocities if the kinetic energy is
 * differentiated; what belongs to pairs is computed again. */
#include <math.h>

void nbody(int n, int nt, double dt, double g, double eps, double mass[n], double pos[n][3],
           double vel[n][3], double kinetic[nt + 1], double potential[nt + 1])
{
    double acc[n][3];
    double dx, dy, dz, r2, s, sum;
    int t, i, j;

    for (t = 0; t <= nt; t++) {
        if (t > 0)
            for (i = 0; i < n; i++)
                for (j = 0; j < 3; j++) {
                    vel[i][j] = vel[i][j] + 0.5 * dt * acc[i][j];
                    pos[i][j] = pos[i][j] + dt * vel[i][j];
                }
        for (i = 0; i < n; i++) {
            acc[i][0] = 0.0;
            acc[i][1] = 0.0;
            acc[i][2] = 0.0;
            for (j = 0; j < n; j++) {
                dx = pos[j][0] - pos[i][0];
                dy = pos[j][1] - pos[i][1];
                dz = pos[j][2] - pos[i][2];
                r2 = dx * dx + dy * dy + dz * dz + eps * eps;
                s = g * mass[j] / (r2 * sqrt(r2));
                acc[i][0] = acc[i][0] + s * dx;
                acc[i][1] = acc[i][1] + s * dy;
                acc[i][2] = acc[i][2] + s * dz;
            }
        }
        if (t > 0)
            for (i = 0; i < n; i++)
                for (j = 0; j < 3; j++)
                    vel[i][j] = vel[i][j] + 0.5 * dt * acc[i][j];
        sum = 0.0;
        for (i = 0; i < n; i++)
            sum = sum
                + 0.5 * mass[i]
                    * (vel[i][0] * vel[i][0] + vel[i][1] * vel[i][1] + vel[i][2] * vel[i][2]);
        kinetic[t] = sum;
        sum = 0.0;
        for (i = 0; i < n; i++)
            for (j = i + 1; j < n; j++) {
                dx = pos[j][0] - pos[i][0];
                dy = pos[j][1] - pos[i][1];
                dz = pos[j][2] - pos[i][2];
                r2 = dx * dx + dy * dy + dz * dz;
                sum = sum - g * mass[i] * mass[j] / sqrt(r2);
            }
        potential[t] = sum;
    }
}
