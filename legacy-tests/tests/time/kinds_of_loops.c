/* several statements in the head of a loop, a do-while, a switch in a step */
double kinds(int n, int steps, const double *x, double *u)
{
    double s = 0, e;
    int k, phase = 0;
    for (k = 0; k < n; k++) u[k] = x[k];
    k = 0;
    /* $AD checkpoint binomial(4) */
    do {
        switch (phase) {
        case 0: u[0] = u[0]*0.9 + 0.1*u[1]*u[n-1]; phase = 2; break;
        case 1: s += u[0]*u[1]; /* fall through */
        case 2: u[1] += 0.05*u[0]*u[0]; phase = k % 3 == 0 ? 3 : 0; break;
        default: u[n-1] = u[n-1] - 0.1*u[0]; phase = 1;
        }
        e = u[0]*u[0];
        k++;
    } while (k < steps && e < 100.0);
#pragma ad checkpoint binomial(2)
    for (int a = 0, b = steps; a < b; a += 2, b--) {
        s += 0.01*a*u[b % n]*u[0];
        u[a % n] *= 1.0 + 0.01*u[1];
    }
    return s + e;
}
