/* Statements and expressions. */
double t_fall_through(double x) {
  int a = 1 + (int)x, r = 0;
  switch (a) {
  case 1: a = 2; __attribute__((fallthrough));
  case 2: r = 3; break;
  default: r = 4; [[fallthrough]];
  case 9: r++;
  }
  return a + 10 * r + x;
}
double t_attribute_on_label(double x) {
  if (x > 1) goto out;
  x = 3 * x;
out: __attribute__((unused));
  return x;
}
static int ranged(int a) { switch (a) { case 1 ... 5: return 1; case 'a' ... 'c': return 7; default: return 0; } }
double t_case_ranges(double x) { return x + ranged(3) + 10 * ranged(6) + ranged('b'); }
double t_commas(double x) {
  int n = 9, i, j;
  for (i = 0, j = n; i < j; i++, j--) ;
  do { i--; x += i; } while (i > 0);
  return i + x;
}
double t_declarations_after_labels(double x) {
  switch ((int)x) {
  case 1:
    ;
    int b = 2;
    return b + x;
  case 2:
    int e = 5;
    return e * x;
  default: {
    int c = 1; return c - x; }
  }
}
static double ends_in_label(double x) {
  double r = x;
  { if (x > 1) goto e;
    r = 1;
  e:
  }
  if (x > 2) goto f;
  r += 1;
f: ;
  return r;
}
double t_labels_at_ends(double x) { return ends_in_label(x) + 10 * ends_in_label(0.5 * x); }
double t_local_labels(double x) { __label__ l1; if (x > 0) goto l1; x = 1; l1: return x; }
static int lefts;
static double once(double x) { lefts++; return x; }
double t_choice_without_middle(double x) {
  int a = 0;
  lefts = 0;
  double r = (once(x) ?: 3) + (once(0.0) ?: 4.0 * x) + (a ?: 3) + ((int)x ? : 9);
  return r + lefts;
}
double t_statement_expressions(double x) {
  int a = (int)x - 5;
  int r = ({ int b = a; b > 0 ? b : -b; });
  return ({ double y = x * r; y + 1; });
}
double t_declarations_in_for(double x) {
  int n = 5, s = 0;
  for (int i = 0, *p = &n; i < *p; i++) s += i;
  return s + x;
}
#define B8(f) f f f f f f f f
#define LEVEL if (x < 100) {
#define CLOSE }
double t_deep_blocks(double x) { B8(LEVEL) B8(LEVEL) B8(LEVEL) B8(LEVEL) B8(LEVEL) x += 1; B8(CLOSE) B8(CLOSE) B8(CLOSE) B8(CLOSE) B8(CLOSE) return x; }
static double half(double x) { return 0.5 * x; }
#define H8 half(half(half(half(half(half(half(half(
#define R8 ))))))))
double t_deep_calls(double x) { return H8 H8 H8 x R8 R8 R8; }
#define C8 (double)((double)((float)((double)((double)((double)((double)((double)(
#define P8 ((((((((
double t_deep_casts(double x) { return C8 C8 x R8 R8; }
double t_deep_parentheses(double x) { return P8 P8 P8 P8 P8 P8 P8 P8 x R8 R8 R8 R8 R8 R8 R8 R8; }
#define T4(n) a == n ? n * 2 : a == n + 1 ? n * 3 : a == n + 2 ? n * 5 : a == n + 3 ? n * 7 :
#define T16(n) T4(n) T4(n + 4) T4(n + 8) T4(n + 12)
#define T64(n) T16(n) T16(n + 16) T16(n + 32) T16(n + 48)
double t_deep_choices(double x) { int a = (int)(37 * x); return T64(0) T64(64) T64(128) T64(192) -1; }
#define E4(n) if (a == n) r = n * 2; else if (a == n + 1) r = n * 3; else if (a == n + 2) r = n * 5; else if (a == n + 3) r = n * 7; else
#define E16(n) E4(n) E4(n + 4) E4(n + 8) E4(n + 12)
#define E64(n) E16(n) E16(n + 16) E16(n + 32) E16(n + 48)
double t_long_chains(double x) { int a = (int)(37 * x), r; E64(0) E64(64) E64(128) E64(192) r = -1; return r; }
#define S8(t) t + t * x + t * 0.5 + t - t + t * t + t + t
#define S64(t) S8(t) + S8(t) + S8(t) + S8(t) + S8(t) + S8(t) + S8(t) + S8(t)
double t_long_sums(double x) { return S64(x) + S64(x) + S64(x) + S64(x); }
double t_deep_sizes(double x) { int *a = 0; return x + sizeof(sizeof(sizeof(sizeof(sizeof(sizeof(a)))))); }
double t_order_of_effects(double x) {
  double a[4] = { 1, 2, 3, 4 };
  int i = 0;
  double s = a[i++] * x;
  s += a[i++] + (i > 1 && a[i++] > 2 ? a[i] : 0);
  return s + i;
}
