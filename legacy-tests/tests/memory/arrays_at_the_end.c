#include <stdlib.h>

/* An array at the end of a struct has no derivative yet. */
struct row {
    int n;
    double v[];
};

double head(const double *x, int n) {
    struct row *r = malloc(sizeof *r + n * sizeof(double));
    double s = 0.0;
    r->n = n;
    for (int i = 0; i < n; i++) r->v[i] = x[i] * x[i];
    for (int i = 0; i < r->n; i++) s += r->v[i] * x[i];
    free(r);
    return s;
}

/* Nor has a tree that a function builds by calling itself. */
typedef struct tree {
    double v;
    struct tree *l, *r;
} tree;

static tree *build(const double *x, int low, int high) {
    if (low >= high) return NULL;
    int middle = (low + high) / 2;
    tree *t = malloc(sizeof *t);
    t->v = x[middle] * x[middle];
    t->l = build(x, low, middle);
    t->r = build(x, middle + 1, high);
    return t;
}

static double sum(const tree *t) {
    return t ? t->v * (1 + sum(t->l)) + sum(t->r) : 0.0;
}

static void drop(tree *t) {
    if (!t) return;
    drop(t->l);
    drop(t->r);
    free(t);
}

double of_a_tree(const double *x, int n) {
    tree *t = build(x, 0, n);
    double s = sum(t);
    drop(t);
    return s;
}
