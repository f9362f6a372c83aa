#ifndef RUN_H
#define RUN_H

#include <stddef.h>

/* One run of a kernel or of an adjoint of it: which one is called, and the arrays it was given.  Two
 * runs of the same kernel register the same arrays with the same contents in the same order. */

typedef enum { PRIMAL, HAND, GENERATED } Mode;

typedef enum {
    INPUT,  /* read; its shadow is incremented */
    OUTPUT, /* written; its shadow is a seed and consumed */
    STATE,  /* read and written, both independent and dependent; its shadow is transformed */
    START,  /* read, and overwritten by what is no dependent; its shadow starts at zero */
    WORK,   /* overwritten first, no dependent: no shadow */
    RESULT  /* a scalar output whose shadow is passed by value in C */
} Kind;

typedef struct {
    Kind kind;
    size_t count;
    double *value, *shadow;         /* what the adjoint is called with */
    double *direction, *seed;       /* the perturbation of the value; the shadow at entry */
} Array;

enum { MOST_ARRAYS = 8, MOST_SIZES = 3 };

typedef struct {
    Mode mode;
    int size[MOST_SIZES];
    double step;    /* multiple of the direction that is added to every independent */
    int arrays;     /* set to 0 to run again on the same memory */
    Array array[MOST_ARRAYS];
    double seconds; /* processor time of the call */
    long before;    /* peak memory in KiB ahead of the first call */
} Run;

typedef struct {
    const char *name;
    void (*run)(Run *run);
    void (*generated)(void); /* null if it was not linked */
    int size[MOST_SIZES];    /* small sizes, for comparisons */
} Kernel;

/* Value and shadow of an array, for any of C's array types. */
typedef struct {
    void *value, *shadow;
} Pair;

/* The next array, its independents in 0.1 .. 1. */
Pair array(Run *run, Kind kind, size_t count);

/* A square matrix with small elements and a dominant diagonal. */
Pair dominant(Run *run, Kind kind, int n);

/* Stand right before and after the call. */
void begin(Run *run);
void end(Run *run);

/* Peak memory of the process in KiB. */
long peak_memory(void);

/* The kernel with this name, or null. */
const Kernel *named(const char *name);

/* A run with the kernel's own small sizes. */
Run small_run(const Kernel *kernel, Mode mode);

/* Frees what the run registered. */
void finish(Run *run);

/* All kernels, ended by one without a name. */
extern const Kernel kernels[];

#endif
