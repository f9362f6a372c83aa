/* Pointers of a file after the last element of an array, where the next variable may begin. */
struct part { double v[4]; };
static struct part part;
static double low[8], high[8], one;
static double *end, *start, *of_part, *of_one;

void init(void)
{
  end = low + 8;
  start = high;
  of_part = part.v + 4;
  of_one = &one;
  of_one++;
}

double arrays(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 8; i++) {
    low[i] = x[i]*x[i];
    high[i] = x[i] + 1.0;
  }
  for (int i = 0; i < n; i++) {
    end[-1 - i] *= x[i];
    y += end[-1 - i]*y + low[0]*x[i] + start[i]*high[0];
  }
  return y;
}

double parts(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 4; i++) {
    part.v[i] = x[i];
    low[i] = x[i + 1];
    high[i] = x[i + 2];
  }
  for (int i = 0; i < n % 4; i++) of_part[-1 - i] *= x[i];
  for (int i = 0; i < 4; i++) y += part.v[i]*part.v[i]*low[i]*high[i];
  return y;
}

double numbers(int n, const double x[10])
{
  one = x[0]*x[n];
  part.v[0] = x[1];
  low[0] = x[2];
  of_one[-1] *= x[3];
  return one*one + part.v[0]*low[0];
}
