/* Fourier transform of n = r^k numbers by Stockham's algorithm (NPBench stockham_fft): in each of k
 * stages transforms of r numbers, turned, and put where the next stage wants them, so that nothing is left
 * to be sorted.
 *
 * Linear: the adjoint is the same with conjugate factors.  True tape: 0 bytes. */
#include <complex.h>
#include <math.h>

void stockham_fft(int n, int r, int k, double complex x[n], double complex y[n])
{
    double complex z[n];
    double angle;
    int stage, stride, m, p, q, s, t;

    for (q = 0; q < n; q++)
        y[q] = x[q];
    for (stage = 1; stage <= k; stage++) {
        stride = 1;
        for (s = 2; s <= stage; s++)
            stride = stride * r;
        m = n / (stride * r);
        for (p = 0; p < m; p++)
            for (s = 0; s < r; s++) {
                for (q = 0; q < stride; q++)
                    z[q + stride * (r * p + s)] = 0.0;
                for (t = 0; t < r; t++) {
                    angle = -6.283185307179586 * s * (p + 1.0 * m * t) / (m * r);
                    for (q = 0; q < stride; q++)
                        z[q + stride * (r * p + s)] = z[q + stride * (r * p + s)]
                            + (cos(angle) + I * sin(angle)) * y[q + stride * (p + m * t)];
                }
            }
        for (q = 0; q < n; q++)
            y[q] = z[q];
    }
}
