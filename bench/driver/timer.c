/* Times one kernel or adjoint of it, with legacy-tests/kernels/reference.
 *
 *     timer KERNEL primal|hand|generated SECONDS SIZE...
 *
 * Runs it again on fresh data until SECONDS of processor time are spent or seven times, and prints
 * the median of its processor times in seconds, the number of runs, and how many KiB the peak
 * memory of the process rose above what arrays and shadows take. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 7 };

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

static int mode_named(const char *name, Mode *mode)
{
    if (strcmp(name, "primal") == 0)
        *mode = PRIMAL;
    else if (strcmp(name, "hand") == 0)
        *mode = HAND;
    else if (strcmp(name, "generated") == 0)
        *mode = GENERATED;
    else
        return -1;
    return 0;
}

int main(int count, char **words)
{
    Run run = {0};
    const Kernel *kernel = count > 4 ? named(words[1]) : NULL;
    double seconds[MOST_RUNS], limit, spent = 0.0;
    long peak = 0;
    int runs = 0;

    if (!kernel || mode_named(words[2], &run.mode) || (run.mode == GENERATED && !kernel->generated)) {
        fprintf(stderr, "usage: timer KERNEL primal|hand|generated SECONDS SIZE...\n");
        return 2;
    }
    limit = atof(words[3]);
    for (int k = 4; k < count && k < 4 + MOST_SIZES; k++)
        run.size[k - 4] = atoi(words[k]);
    while (runs < MOST_RUNS && (runs == 0 || spent < limit)) {
        run.arrays = 0;
        kernel->run(&run);
        peak = peak_memory();
        seconds[runs++] = run.seconds;
        spent += run.seconds;
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, ascending);
    printf("%.9e %d %ld\n", seconds[runs / 2], runs, peak - run.before);
    return 0;
}
