/* Pointers to arrays: exchanged, chosen, and in what outlives the call. */
double exchanged(int n, const double x[10])
{
  double y = 0.0, a[3][5], b[3][5];
  double (*r)[5] = a, (*s)[5] = b, (*t)[5];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 5; j++) {
      r[i][j] = x[i]*x[j + 1];
      s[i][j] = x[i] + x[j];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 5; j++) s[1][j] = r[0][2]*x[i] + r[1][j]*r[2][4 - j];
    y += a[1][i % 5]*b[1][i % 5];
    t = r;
    r = s;
    s = t;
  }
  return y;
}

double chosen(int n, const double x[10])
{
  double y = 0.0, a[2][3][5];
  double (*q)[3][5];
  q = a;
  if (n > 2) q = q + 1;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 5; j++) {
      a[1][i][j] = x[i]*x[j + 1];
      a[0][i][j] = x[i] + x[j];
    }
  }
  for (int i = 0; i < n; i++) y += a[1][2][i % 5]*q[0][0][1];
  return y;
}

static double shown[3][5];
static double (*rows)[5];
static struct { double (*rows)[5]; } holder;

void init(void)
{
  rows = shown;
  holder.rows = shown;
}

double by_file(int n, const double x[10])
{
  double y = 0.0;
  for (int j = 0; j < 5; j++) shown[1][j] = x[j];
  rows[1][0] = 2.0;
  for (int i = 0; i < n; i++) y += shown[1][i % 5]*x[i];
  return y;
}

double by_member(int n, const double x[10])
{
  double y = 0.0;
  for (int j = 0; j < 5; j++) shown[1][j] = x[j];
  holder.rows[1][0] = 2.0;
  for (int i = 0; i < n; i++) y += shown[1][i % 5]*x[i];
  return y;
}
