struct vec { const double *data; int n; };
static double norm(const struct vec *v) { const double *p = v->data, *end = p + v->n; double s = 0; while (p != end) { s += *p * *p; ++p; } return s; }
static double norm2(const struct vec *v) { double s = 0; for (const double *p = v->data; p < v->data + v->n; p += 2) s += p[0] * p[1]; return s; }
double f(int n, const double *x) { struct vec v = {x, n}; return norm(&v) * norm2(&v); }
