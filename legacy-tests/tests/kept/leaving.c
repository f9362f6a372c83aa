/* Loops that are left early, by break and by goto, and loops that run nobody knows how often. */
#include <math.h>

double by_exit(int n, int m, const double *restrict x) {
    double s = 0.5;
    for (int k = 0; k < m; k++) {
        s = s*cos(s*x[k % n]) + 0.1;
        if (s*x[k % n] > 0.7) break;
        s += 1e-3*s*x[0];
    }
    return s*s;
}

double by_jump(int n, int m, const double *restrict x) {
    double y = 1;
    for (int i = 0; i < n; i++) {
        double s = x[i];
        for (int k = 0; k < m; k++) {
            s = s*cos(s)*0.95;
            if (s < 2e-2) goto done;
            y += s*y*1e-3;
        }
    done:
        y *= 1 + s*s;
    }
    return y;
}

double by_condition(int n, int m, const double *restrict x) {
    double y = 1;
    for (int i = 0; i < n; i++) {
        double s = x[i];
        while (s > 1.0/m) s -= 0.3*s*s*y;
        y *= sin(1 + s);
    }
    return y;
}

double by_calls(int n, int m, const double *restrict x, double y) {
    double s = y*x[m % n], t = s*s*y;
    for (int i = 0; i < n; i++) {
        s = s*cos(s*x[i]);
        t += s*s;
    }
    return m > 0 ? by_calls(n, m - 1, x, t*0.3 + s) : t;
}
