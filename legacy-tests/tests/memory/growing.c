#include <math.h>
#include <stdio.h>
#include <stdlib.h>
/* A buffer that doubles as numbers come. */
double head(const double *x, int n) {
    int capacity = 2, count = 0;
    double s = 0.0;
    double *buffer = malloc(capacity * sizeof *buffer);
    if (buffer == NULL) return 0.0;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0.3) continue;
        if (count == capacity) {
            capacity *= 2;
            buffer = realloc(buffer, capacity * sizeof *buffer);
        }
        buffer[count] = x[i] * sin(x[i]);
        count++;
    }
    for (int i = 0; i < count; i++) s += buffer[i] * buffer[count - 1 - i];
    free(buffer);
    return s;
}

/* What `realloc` gives is tested before it is taken. */
double tested(const double *x, int n) {
    int capacity = 2, count = 0;
    double s = 0.0;
    double *p = malloc(capacity * sizeof *p);
    for (int i = 0; i < n; i++) {
        if (count == capacity) {
            capacity *= 2;
            double *q = realloc(p, capacity * sizeof *q);
            if (!q) {
                free(p);
                return -1.0;
            }
            p = q;
        }
        p[count++] = x[i] * x[i];
    }
    for (int i = 0; i < count; i++) s += p[i] * x[i];
    free(p);
    return s;
}

double tested_in_place(const double *x, int n) {
    double *p = NULL, s = 0.0;
    for (int i = 0; i < n; i++) {
        p = realloc(p, (i + 1) * sizeof *p);
        if (p == NULL) {
            fprintf(stderr, "no memory\n");
            exit(1);
        }
        p[i] = x[i] * x[i];
    }
    for (int i = 0; i < n; i++) s += p[i] * x[i];
    free(p);
    return s;
}

double tested_where_assigned(const double *x, int n) {
    double *p = malloc(n * sizeof *p), *q, s = 0.0;
    for (int i = 0; i < n; i++) p[i] = x[i] * x[i];
    if ((q = realloc(p, 2 * n * sizeof *p)) == NULL) {
        free(p);
        return 0.0;
    }
    p = q;
    for (int i = n; i < 2 * n; i++) p[i] = x[i - n] * p[i - n];
    for (int i = 0; i < 2 * n; i++) s += p[i];
    free(p);
    return s;
}

double either_way(const double *x, int n) {
    double *p = malloc(sizeof(double)), s = 0.0;
    p[0] = x[0];
    double *q = realloc(p, n * sizeof(double));
    if (q) {
        p = q;
        for (int i = 1; i < n; i++) p[i] = p[i - 1] * x[i];
        s = p[n - 1];
    } else {
        s = p[0];
    }
    free(p);
    return s;
}

double of_nothing(const double *x, int n) {
    double *p = realloc(NULL, n * sizeof(double)), s = 0.0;
    if (!p) return 0.0;
    for (int i = 0; i < n; i++) p[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) s += p[i] * x[i];
    free(p);
    return s;
}
