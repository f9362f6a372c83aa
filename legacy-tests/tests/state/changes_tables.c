extern double scale;
extern double weights[90];
extern double rows[4][70];

/* Declared, tentatively defined, and at last given values. */
static double shift[3];
static double shift[3] = {0.5, -0.25, 2.0};
extern int calls;
int calls = 3;

static double row_sum(double *row, int n, double x) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += row[k] * x * (k + 1);
  if (row[69] == 0.0) row[69] = x;
  row[1] = row[1] + row[69] * x;
  return sum;
}

void weighted(int n, const double *x, double *y) {
  calls++;
  for (int i = 0; i < n; i++) {
    y[i] = scale * x[i] + weights[i] * x[i] * x[i] + row_sum(rows[i % 4], n + 3, x[i]);
    y[i] += weights[85] + rows[3][1] * shift[i % 3] + calls * x[i];
    weights[i] = x[i] * y[i];
    weights[85] = weights[n - 1] + x[i];
    shift[i % 3] = x[i];
    scale = scale + 0.1 * x[i];
  }
}
