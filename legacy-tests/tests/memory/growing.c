#include <math.h>
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
