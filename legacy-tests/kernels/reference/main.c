/* Compares generated adjoints with hand-written ones.
 *
 *     reference                 the hand-written ones against central differences of the primal, and
 *                               the primal in the language compiled for against the one in C
 *     reference KERNEL...       the generated ones, which must be linked, against the hand-written
 *
 * A line for each kernel: its name, the largest relative difference, and ok or WRONG.  Exit status 1
 * if any is wrong, 2 if one is not there.  README.md beside the kernels says how to build it. */
#include "run.h"

#include <math.h>
#include <stdio.h>

/* Largest difference of two arrays, relative to the largest element. */
static double distance(size_t count, const double *x, const double *y)
{
    double most = 0.0, scale = 1.0;

    for (size_t k = 0; k < count; k++) {
        if (isnan(x[k]) || isnan(y[k]))
            return NAN;
        scale = fmax(scale, fabs(y[k]));
        most = fmax(most, fabs(x[k] - y[k]));
    }
    return most / scale;
}

/* Values, and where the other run is of an adjoint shadows, against the hand-written adjoint's. */
static double compare(const Kernel *kernel, Mode mode)
{
    Run hand = small_run(kernel, HAND), other = small_run(kernel, mode);
    double most = 0.0;

    kernel->run(&hand);
    kernel->run(&other);
    for (int a = 0; a < hand.arrays; a++) {
        const Array *x = &other.array[a], *y = &hand.array[a];
        double values = distance(x->count, x->value, y->value);
        double shadows = distance(x->count, x->shadow, y->shadow);
        if (mode == PRIMAL || x->kind == RESULT)
            shadows = 0.0;
        most = isnan(values) || isnan(shadows) ? HUGE_VAL : fmax(most, fmax(values, shadows));
    }
    finish(&hand);
    finish(&other);
    return most;
}

/* seed . (outputs at x + h d - outputs at x - h d) / 2h  against  gradient . d */
static double differ(const Kernel *kernel)
{
    const double h = 1.0e-5;
    Run at = small_run(kernel, HAND), ahead = at, behind = at;
    double by_difference = 0.0, by_gradient = 0.0;

    ahead.step = h;
    behind.step = -h;
    kernel->run(&at);
    kernel->run(&ahead);
    kernel->run(&behind);
    for (int a = 0; a < at.arrays; a++) {
        const Array *array = &at.array[a];
        for (size_t k = 0; k < array->count; k++) {
            double entry = array->kind == INPUT ? array->seed[k] : 0.0;
            if (array->kind == OUTPUT || array->kind == STATE || array->kind == RESULT)
                by_difference += array->seed[k]
                    * (ahead.array[a].value[k] - behind.array[a].value[k]) / (2.0 * h);
            by_gradient += (array->shadow[k] - entry) * array->direction[k];
        }
    }
    finish(&at);
    finish(&ahead);
    finish(&behind);
    return fabs(by_gradient - by_difference) / fmax(fabs(by_difference), 1.0e-3);
}

static int report(const char *name, double difference, double tolerance)
{
    int right = difference <= tolerance;

    printf("%-10s %9.2e %s\n", name, difference, right ? "ok" : "WRONG");
    return right ? 0 : 1;
}

int main(int count, char **names)
{
    int status = 0;

    if (count == 1)
        for (const Kernel *kernel = kernels; kernel->name; kernel++)
            status |= report(kernel->name, differ(kernel), 1.0e-7)
                | report("  primal", compare(kernel, PRIMAL), 1.0e-13);
    for (int k = 1; k < count; k++) {
        const Kernel *kernel = named(names[k]);
        if (!kernel || !kernel->generated) {
            printf("%-10s not there\n", names[k]);
            status |= 2;
        } else {
            status |= report(kernel->name, compare(kernel, GENERATED), 1.0e-11);
        }
    }
    return status;
}
