static double g[8];
static void addg(int n, double *y) { for (int i = 0; i < n; i++) y[i] = y[i] * g[n-1-i] + g[i]; }
double f(int n, const double *x) { double y[8]; for (int i = 0; i < n; i++) { g[i] = x[i]; y[i] = x[i]*2; } addg(n, y); addg(n, g); addg(n-1, g+1); double s = 0; for (int i = 0; i < n; i++) s += g[i] * y[i]; return s; }
