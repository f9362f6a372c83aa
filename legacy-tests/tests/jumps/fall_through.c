#include <math.h>

/* A loop that is begun in its middle by a `switch` (Duff's device), a `case` inside a condition,
   a label among the `case`s, a statement before the first one, and arms that fall through. */
static double weight(int kind, double v) {
    double w = 0.25;
    switch (kind) {
        w = 99.0;
    case 0:
        w += v;
        if (v > 1.0) {
        case 1:
            w *= v + 0.5;
        }
    again:
    case 2:
        w = sin(w) + 2.0;
        break;
    case 3:
    case 4 ... 6:
        w = v * v;
        if (kind == 3)
            goto again;
    default:
        w -= 0.1 * v;
    }
    return w;
}

void f(int n, const double *x, double *y) {
    double s = 0.0;
    int i = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { s += weight(i, x[i]); i++;
    case 3:      s += weight(i, x[i]); i++;
    case 2:      s *= 1.0 + 0.1 * x[i]; i++;
    case 1:      s += exp(-x[i]); i++;
            } while (--rounds > 0);
    }
    y[0] = s;
    y[1] = 2.0 * s * x[n - 1];
}
