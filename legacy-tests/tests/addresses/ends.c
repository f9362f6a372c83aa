/* Pointers of a file to the end of an array. */
static double table[2][4];
static double *first, *last;

void init(void)
{
  first = table[0];
  last = &table[1][3] + 1;
}

double walk(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 8; i++) table[i / 4][i % 4] = x[i % n];
  for (double *p = first; p < last; p++) {
    *p *= x[(p - first) % n];
    y += *p*y + table[0][0];
  }
  return y + last[-1]*last[-2];
}
