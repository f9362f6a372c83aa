
/* @TYPE@; `parts` is 2 for complex numbers, which are pairs. */

static inline void check_uniform_@S@(@TYPE@ *x, long n, double low, double high) {
  for (long i = 0; i < n; i++) x[i] = (@TYPE@)(low + (high - low) * check_random());
}

static inline void check_ramp_@S@(@TYPE@ *x, long n, int parts, double from, double to) {
  for (long i = 0; i < n; i++)
    x[i] = (@TYPE@)(from + (to - from) * ((double)(i / parts) + 0.25 + 0.5 * check_random()) / (double)(n / parts));
}

static inline void check_diagonal_@S@(@TYPE@ *x, long n, int parts, double low, double high, double shift) {
  long rows = lround(sqrt((double)(n / parts)));
  check_uniform_@S@(x, n, low, high);
  for (long i = 0; i < rows; i++) x[(i * rows + i) * parts] += (@TYPE@)shift;
}

static inline void check_list_@S@(@TYPE@ *x, long n, int parts, const double *values, long count) {
  for (long i = 0; i < n; i++) x[i] = i % parts == 0 ? (@TYPE@)values[i / parts % count] : 0;
}

static inline void check_multiply_@S@(@TYPE@ *x, long n, double factor) {
  for (long i = 0; i < n; i++) x[i] = (@TYPE@)(x[i] * factor);
}

static inline void check_move_@S@(@TYPE@ *x, const @TYPE@ *way, long n, double h) {
  for (long i = 0; i < n; i++) x[i] = (@TYPE@)(x[i] + h * way[i]);
}

static inline void check_fill_@S@(@TYPE@ *x, long n, double value) {
  for (long i = 0; i < n; i++) x[i] = (@TYPE@)value;
}

/* The sum of products. */
static inline double check_product_@S@(const @TYPE@ *x, const @TYPE@ *y, long n) {
  double total = 0;
  for (long i = 0; i < n; i++) total += (double)x[i] * (double)y[i];
  return total;
}

/* The sum of the absolute values of the products. */
static inline double check_volume_@S@(const @TYPE@ *x, const @TYPE@ *y, long n) {
  double total = 0;
  for (long i = 0; i < n; i++) total += fabs((double)x[i] * (double)y[i]);
  return total;
}

/* The largest absolute value; not a number if one is none. */
static inline double check_magnitude_@S@(const @TYPE@ *x, long n) {
  double largest = 0;
  for (long i = 0; i < n; i++) {
    if (!(fabs((double)x[i]) <= largest)) largest = fabs((double)x[i]);
    if (largest != largest) break;
  }
  return largest;
}

/* A scale to draw directions by: never zero. */
static inline double check_scale_@S@(const @TYPE@ *x, long n) {
  double scale = check_magnitude_@S@(x, n);
  return scale > 0 && scale <= DBL_MAX ? scale : 1;
}

/* The largest error of a tangent against differences of fourth order, relative to the larger of
   the two, or to a small part of the variable itself. */
static inline double check_error_@S@(const @TYPE@ *at, const @TYPE@ *d, const @TYPE@ *y, long n, double h) {
  double error = 0, largest = 1e-5 * check_magnitude_@S@(y, n);
  for (long i = 0; i < n; i++) {
    double inner = (double)at[2 * n + i] - (double)at[n + i];
    double outer = (double)at[3 * n + i] - (double)at[i];
    double difference = (8 * inner - outer) / (12 * h);
    if (difference != difference) return DBL_MAX;
    if (!(fabs(difference - d[i]) <= error)) error = fabs(difference - d[i]);
    if (error != error) return DBL_MAX;
    largest = check_larger(largest, check_larger(fabs(difference), fabs((double)d[i])));
  }
  return error / check_larger(largest, DBL_MIN);
}

/* The largest error of `x` against `factor*y`, relative to the larger of the two. */
static inline double check_deviation_@S@(const @TYPE@ *x, const @TYPE@ *y, long n, int factor) {
  double error = 0;
  for (long i = 0; i < n; i++)
    if (!(fabs((double)x[i] - factor * (double)y[i]) <= error)) error = fabs((double)x[i] - factor * (double)y[i]);
  return error == 0 ? 0 : error / check_larger(check_magnitude_@S@(x, n), check_magnitude_@S@(y, n));
}
