/* Pointers of a file after the last element of an array, where the next array may begin. */
static double before[8], low[8], high[8];
static double *end, *start, *const fixed = low;
static double *first, *last;

void init(void)
{
  end = low + 8;
  start = high;
  first = before;
  last = before + 8;
}

double backwards(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 8; i++) {
    before[i] = x[i];
    low[i] = x[i]*x[i];
    high[i] = x[i] + 1.0;
  }
  for (int i = 0; i < n; i++) {
    end[-1 - i] *= x[i];
    y += end[-1 - i]*y + low[0]*before[i] + start[i]*high[0];
  }
  return y;
}

double walk(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 8; i++) before[i] = x[i % n];
  for (double *p = first; p < last; p++) {
    *p *= x[(p - first) % n];
    y += *p*y + before[0];
  }
  return y + fixed[0];
}
