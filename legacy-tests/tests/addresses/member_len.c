struct s { int n; double *x; };
static void scale(struct s *s, double c) { for (int i = 0; i < s->n; i++) s->x[i] *= c * s->x[i]; }
double f(int n, const double *x) { double y[16]; struct s s; s.n = n; s.x = y; for (int i = 0; i < n; i++) y[i] = x[i]; scale(&s, x[0]); scale(&s, x[1]); double r = 0; for (int i = 0; i < n; i++) r += y[i]; return r; }
