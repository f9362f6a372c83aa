/* The gradient of the cost function by the generated adjoint: timed, checked, drawn. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cost_function_b.h"
#include "model.h"
#include "picture.h"
#include "scenario.h"

enum { NX = 160, NY = 96, NT = 140, RUNS = 3 };

typedef double Field[NY][NX];
typedef double FaceField[NY + 1][NX];

static Field eta0, u0, bottom, eta0_b, u0_b, bottom_b;
static FaceField v0, v0_b;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static double time_primal(void)
{
    double best = HUGE_VAL;

    for (int run = 0; run < RUNS; run++) {
        double start = seconds();
        cost_function(NX, NY, NT, eta0, u0, v0, bottom);
        best = fmin(best, seconds() - start);
    }
    return best;
}

/* Leaves the gradient in the shadows. */
static double time_adjoint(void)
{
    double best = HUGE_VAL;

    for (int run = 0; run < RUNS; run++) {
        double cost, start;
        memset(eta0_b, 0, sizeof eta0_b);
        memset(u0_b, 0, sizeof u0_b);
        memset(v0_b, 0, sizeof v0_b);
        memset(bottom_b, 0, sizeof bottom_b);
        start = seconds();
        cost_function_b(NX, NY, NT, eta0, eta0_b, u0, u0_b, v0, v0_b, bottom, bottom_b, &cost, 1.0);
        best = fmin(best, seconds() - start);
    }
    return best;
}

static double cost_along(double h, Field eta0_d, Field u0_d, FaceField v0_d, Field bottom_d)
{
    static Field eta, u, b;
    static FaceField v;

    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            eta[j][i] = eta0[j][i] + h * eta0_d[j][i];
            u[j][i] = u0[j][i] + h * u0_d[j][i];
            v[j][i] = v0[j][i] + h * v0_d[j][i];
            b[j][i] = bottom[j][i] + h * bottom_d[j][i];
        }
    return cost_function(NX, NY, NT, eta, u, v, b);
}

/* The derivative along a wavy direction in all four fields, by the gradient and by a difference:
 * their relative distance. */
static double compare_with_difference(void)
{
    static Field eta0_d, u0_d, bottom_d;
    static FaceField v0_d;
    const double h = 1.0e-3;
    double by_gradient = 0.0, by_difference;

    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            eta0_d[j][i] = sin(0.3 * i + 0.1 * j);
            u0_d[j][i] = cos(0.2 * i - 0.4 * j);
            v0_d[j][i] = j > 0 ? sin(0.5 * i * j / NX) : 0.0;
            bottom_d[j][i] = cos(0.7 * i + 0.2 * j);
            by_gradient += eta0_b[j][i] * eta0_d[j][i] + u0_b[j][i] * u0_d[j][i]
                + v0_b[j][i] * v0_d[j][i] + bottom_b[j][i] * bottom_d[j][i];
        }
    by_difference = (cost_along(h, eta0_d, u0_d, v0_d, bottom_d)
                     - cost_along(-h, eta0_d, u0_d, v0_d, bottom_d)) / (2.0 * h);
    return fabs(by_gradient - by_difference) / fabs(by_difference);
}

int main(void)
{
    double primal_time, adjoint_time, error;

    set_scenario(NX, NY, eta0, u0, v0, bottom);
    primal_time = time_primal();
    adjoint_time = time_adjoint();
    error = compare_with_difference();

    printf("C, %d x %d cells, %d steps\n", NX, NY, NT);
    printf("  primal   %8.1f ms\n", 1.0e3 * primal_time);
    printf("  adjoint  %8.1f ms\n", 1.0e3 * adjoint_time);
    printf("  ratio    %8.2f\n", adjoint_time / primal_time);
    printf("  gradient against central difference, relative: %9.2e\n", error);
    printf("  d(mean sea level in the target box at the end) / d(initial sea level):\n");
    show(NX, NY, eta0_b);
    if (write_ppm("sensitivity-c.ppm", NX, NY, eta0_b) != 0) {
        fprintf(stderr, "cannot write sensitivity-c.ppm\n");
        return 1;
    }
    if (!(error < 1.0e-6)) {
        fprintf(stderr, "the gradient is wrong\n");
        return 1;
    }
    return 0;
}
