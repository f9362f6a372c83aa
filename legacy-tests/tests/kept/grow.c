/* A tape that grows over several chunks, in a loop that is left early, and one of integers. */
double grow(int n, const double *restrict x, double end) {
    double t = 0, s = 0.5;
    int turn = 0;
    for (;;) {
        int k = turn % n;
        if (s*x[k] > 0.7) {
            s = s*0.5*x[k];
            turn += 2;
        }
        s += 1e-3*(x[k] + s*(1 - s));
        t += 1e-3*(1 + s*s);
        turn++;
        if (t > end) break;
    }
    return s;
}
