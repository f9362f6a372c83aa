#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Reproducible noise in 0 .. 1 for element k of array number a. */
static double noise(int a, size_t k)
{
    uint64_t z = ((uint64_t)a + 1) * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)k * UINT64_C(0xD1B54A32D192ED03);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static double *fresh(double *old, size_t count)
{
    double *memory = old ? old : malloc(count * sizeof(double));

    if (!memory)
        abort();
    memset(memory, 0, count * sizeof(double));
    return memory;
}

static int is_independent(Kind kind)
{
    return kind == INPUT || kind == STATE || kind == START;
}

static int starts_seeded(Kind kind)
{
    return kind != START && kind != WORK;
}

Pair array(Run *run, Kind kind, size_t count)
{
    int a = run->arrays++;
    Array *new = &run->array[a];

    if (a >= MOST_ARRAYS)
        abort();
    *new = (Array){kind, count, fresh(new->value, count), fresh(new->shadow, count),
                   fresh(new->direction, count), fresh(new->seed, count)};
    for (size_t k = 0; k < count; k++) {
        if (is_independent(kind)) {
            new->direction[k] = 2.0 * noise(a + 100, k) - 1.0;
            new->value[k] = 0.1 + 0.9 * noise(a, k) + run->step * new->direction[k];
        }
        if (starts_seeded(kind))
            new->seed[k] = 2.0 * noise(a + 200, k) - 1.0;
        new->shadow[k] = new->seed[k];
    }
    return (Pair){new->value, new->shadow};
}

Pair dominant(Run *run, Kind kind, int n)
{
    Pair pair = array(run, kind, (size_t)n * n);
    double *value = pair.value;

    for (int i = 0; i < n; i++)
        value[i * n + i] += 8.0;
    return pair;
}

void finish(Run *run)
{
    for (int a = 0; a < run->arrays; a++) {
        free(run->array[a].value);
        free(run->array[a].shadow);
        free(run->array[a].direction);
        free(run->array[a].seed);
    }
    run->arrays = 0;
}

static double processor_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1.0e-9 * (double)t.tv_nsec;
}

long peak_memory(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

void begin(Run *run)
{
    if (run->before == 0)
        run->before = peak_memory();
    run->seconds = processor_time();
}

void end(Run *run)
{
    run->seconds = processor_time() - run->seconds;
}

const Kernel *named(const char *name)
{
    for (const Kernel *kernel = kernels; kernel->name; kernel++)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    return NULL;
}

Run small_run(const Kernel *kernel, Mode mode)
{
    Run run = {.mode = mode};

    memcpy(run.size, kernel->size, sizeof run.size);
    return run;
}
