#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that the library makes and this function releases. */
double head(const double *x, int n) {
    double s = 0.0;
    char *name = strdup("abc");
    for (int i = 0; i < n; i++) {
        char *part = strdup(name);
        if (i % 2) part[1] = 0;
        s += strlen(part) * x[i] * x[i];
        free(part);
    }
    if (strlen(name) == 3) s *= 2.0;
    free(name);
    return s;
}

/* Numbers that the library reads. */
double numbers(const double *x, int n) {
    double s = 0.0, *w = malloc(n * sizeof *w);
    FILE *file = fopen("/dev/zero", "r");
    if (!w || !file) return -1.0;
    if (fread(w, sizeof *w, n, file) != (size_t)n) s = 1.0;
    fclose(file);
    for (int i = 0; i < n; i++) {
        char text[20];
        snprintf(text, sizeof text, "%d.5", i);
        w[i] += atof(text);
    }
    sscanf("0.25", "%lf", &w[0]);
    for (int i = 0; i < n; i++) s += w[i] * x[i] * x[i];
    free(w);
    return s;
}
