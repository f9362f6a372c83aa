/* Pointers of a file that its initialisation lets point, before the calls that are differentiated. */
#include <math.h>
#include <stdlib.h>

struct pair { double *u, *v; void *unused; int k; };
struct node { double value; struct node *next; double weight[2]; double *of_other; };
struct mixed { int k; double a; struct { double v[3]; float f; } in[2]; };

static double u[5], v[5];
static struct pair first, both[2], *chosen;
static double *middle, *either, *rows[2], **all_rows;
static struct node nodes[4], *list;
static struct mixed mixed;
static double *scalar, *inner;
static double *declared = v + 1;
static double *allocated;
static void *nameless;
static const double table[5] = {1.0, 2.0, 3.0, 4.0, 5.0};
static const double *entries;
static int which;
double *outside;

static void keep(double *p) { outside = p; }
static void replace(double **p) { *p = malloc(5*sizeof **p); }

void init(void)
{
  first.u = u;
  first.v = u;
  both[0].u = both[1].u = u;
  both[0].v = v + 1;
  both[1].v = u;
  chosen = &both[0];
  middle = u + 2;
  either = which ? v + 1 : &u[4];
  rows[0] = v;
  rows[1] = u;
  all_rows = rows;
  for (int i = 0; i < 4; i++) {
    nodes[i].next = NULL;
    nodes[i].of_other = &nodes[(i + 1) % 4].weight[1];
  }
  list = &nodes[2];
  nodes[2].next = &nodes[0];
  nodes[0].next = &nodes[3];
  scalar = &mixed.a;
  inner = mixed.in[1].v + 1;
  entries = table;
  nameless = u;
  keep(v);
}

void allocate(void) { allocated = malloc(5*sizeof *allocated); }
void elsewhere(void) { replace(&outside); }

static void set(const double *x)
{
  for (int j = 0; j < 5; j++) {
    u[j] = x[j];
    v[j] = x[j + 1];
  }
}

static void in_place(struct pair *q, double *z, double a)
{
  for (int j = 0; j < 4; j++) q->u[j] = sin(z[j])*q->v[j]*a + u[(j + 1) % 5];
  z[2] = q->u[1]*v[2];
}

double of_structs(int n, const double x[10])
{
  double y = 0.0;
  set(x);
  for (int i = 0; i < n; i++) {
    in_place(&first, u, x[i]);
    in_place(chosen, v, x[i + 1]);
    in_place(&both[1], u, y);
    y += v[2]*u[0]*sin(y) + chosen->u[i % 5];
  }
  return y;
}

double of_inner(int n, const double x[10])
{
  double y = 0.0;
  set(x);
  for (int i = 0; i < n; i++) {
    middle[-1] = sin(middle[1])*u[3] + *either;
    all_rows[1][i % 5] *= rows[0][2]*entries[i % 5];
    y += middle[0]*u[1]*sin(y + either[-1]);
    *either = y*x[i];
    u[2] += *either;
  }
  return y;
}

double of_list(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 4; i++) {
    nodes[i].value = x[i]*x[i + 1];
    nodes[i].weight[0] = x[i];
    nodes[i].weight[1] = x[i + 2];
  }
  for (int i = 0; i < n; i++) {
    for (struct node *q = list; q; q = q->next) {
      y += q->value*sin(y) + *q->of_other*x[i];
      q->value = q->value*q->weight[0] + *q->of_other;
      *q->of_other = y;
    }
  }
  return y;
}

double of_members(int n, const double x[10])
{
  double y = 0.0;
  mixed.a = x[0];
  for (int i = 0; i < 3; i++) mixed.in[1].v[i] = x[i];
  for (int i = 0; i < n; i++) {
    y += *scalar*sin(y) + inner[1]*x[i];
    *scalar = y;
    inner[-1] = mixed.a*x[i];
    mixed.in[1].v[2] += inner[-1];
  }
  return y;
}

static void put(int i, double a) { declared[i] = a; }
static double get(int i) { return declared[i]*outside[i + 1]; }

double by_callees(int n, const double x[10])
{
  double y = 1.0;
  for (int i = 0; i < 4; i++) put(i, x[i]);
  for (int i = 0; i < n; i++) {
    if (i % 2) y += get(i % 3)*sin(y);
    put(i % 3, y*x[i]);
  }
  return y;
}

double by_allocated(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < n; i++) allocated[i % 5] = x[i]*x[i + 1];
  for (int i = 0; i < n; i++) y += sin(allocated[i % 5]);
  return y;
}

double by_nameless(int n, const double x[10])
{
  double y = 0.0, *p = nameless;
  for (int i = 0; i < 5; i++) p[i] = x[i];
  for (int i = 0; i < n; i++) y += u[i % 5]*y;
  return y;
}

double by_elsewhere(int n, const double x[10])
{
  double y = 0.0;
  for (int i = 0; i < 5; i++) outside[i] = x[i];
  for (int i = 0; i < n; i++) y += outside[i % 5]*x[i];
  return y;
}
