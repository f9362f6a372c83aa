/* A pointer of a file that gets its target through two functions. */
struct part { double a[4]; };
static struct part part;
static double *p;

static void set(double **h, double *a) { *h = a; }
static void hand_on(double **h, double *a) { set(h, a); }
void init(void) { hand_on(&p, part.a); }

double f(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 4; i++) part.a[i] = x[i]*x[1];
  p[0] *= p[1];
  p[2] *= x[n];
  for (int i = 0; i < 4; i++) y += part.a[i]*part.a[i];
  return y;
}
