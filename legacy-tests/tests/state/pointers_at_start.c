static double values[3];
static double *first = values;
static double *rows[2] = {values, values + 1};
static struct {
  double *p;
  int k;
} window = {values, 3};

void begin(void) {
  for (int i = 0; i < 3; i++) values[i] = i + 1;
}

double through_a_pointer(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    s += first[i % 3]*x[i]*x[i];
    first[i % 3] = x[i];
  }
  return s;
}

double through_rows(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    s += rows[i % 2][0]*x[i]*x[i];
    rows[i % 2][0] = x[i];
  }
  return s;
}

double through_a_member(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    s += window.p[i % 3]*x[i]*x[i];
    window.p[i % 3] = x[i];
  }
  return s;
}
