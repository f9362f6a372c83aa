#include <string.h>
#include <math.h>
static double buf[16];
static int count;
static void push(double v) { buf[count++] = v; }
static double pop(void) { return buf[--count]; }
double top(int n, const double *x)
{
    double u[7], w[7];
    count = 0;
    for (int i = 0; i < n; i++) push(x[i]*x[i]);
    while (count > 1) { double a = pop(), b = pop(); push(a*b + sin(a)); }
    memset(u, 0, sizeof u);
    memcpy(w, x, n*sizeof(double));
    memmove(w + 1, w, (n - 1)*sizeof *w);
    for (int i = 0; i < n; i++) u[i] += w[i]*w[n-1-i];
    return pop() + u[0]*u[3];
}
