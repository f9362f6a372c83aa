/* What the preprocessor leaves, and names and choices by type. */
#ident "x"
#define PER_TYPE(X) _Generic((X), long double: 1, default: 2, float: 3, double: 4, int: 5, double *: 6, const double *: 7)
double t_generic(double x) {
  float f = 1;
  const double *p = &x;
  return x * PER_TYPE(x) + PER_TYPE(f) + PER_TYPE(1) + PER_TYPE(&x) * 10 + PER_TYPE(p) + PER_TYPE(f + 1) + PER_TYPE('a') + PER_TYPE(x > 1);
}
double t_typeof(double x) {
  __typeof__(x) b = x;
  typeof(b) c[2] = { b, 2 };
  typeof(c[0] * 1.0f) d = c[1] + (typeof(x))1;
  __auto_type e = c;
  __auto_type g = 1.5f;
  return b + c[0] * d + e[1] + g / 3;
}
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
double t_statement_macro(double x) { int n = 2; return MAX(MAX(x, 1.25), n) + MAX(n, 3); }
double t_builtins(double x) {
  struct pair { int a; int b[3]; };
  return x * __builtin_expect(x > 1, 1) + __builtin_offsetof(struct pair, b[1])
       + __builtin_types_compatible_p(int, long) + 10 * __builtin_types_compatible_p(double, __typeof__(x))
       + __builtin_choose_expr(1, 2, 3) + __builtin_fabs(-x);
}
double t_pragma_operator(double x) {
  double a[3] = { 0, 0, 0 };
  _Pragma("omp simd")
  for (int i = 0; i < 3; i++) a[i] = i * x;
  return a[2];
}
double t_pragmas(double x) {
  double a[3];
  int i;
#pragma omp parallel for private(i) schedule(static)
  for (i = 0; i < 3; i++) a[i] = i + x;
  return a[0] + a[1] * a[2];
}
#pragma omp declare simd
double declared_simd(double x) { return x; }
#pragma STDC FP_CONTRACT OFF
int in_a_list[2] = {
#pragma x
 1, 2 };
double t_digraphs(double x) <% double a<:3:> = <% 1, 2, 3 %>; return a<:1:> * x; %>
double a$b = 3.0;
double t_dollars(double x$y) { double $z = x$y; return a$b * $z; }
double t_lettres_accentuées(double é) { /* é */ double α = é * 2; return α; }
const char *accented = "é";

double after_form_feed(double x) { return x; }
double t_form_feed(double x) { return after_form_feed(x); }
#line 77 "other.c"
double t_line_directive(double x) { return x + 1; }
[[maybe_unused]] static int with_attribute(int a) { return a; }
double t_attribute_of_c23(double x) { return x + with_attribute(2); }
#define EACH(F) F(one, 1) F(two, 2) F(three, 3)
#define NAME(n, v) double of_##n(double x) { return x * v; }
#define CALL(n, v) + of_##n(x)
#define TEXT(n, v) #n
EACH(NAME)
double t_lists_by_macro(double x) { return 0 EACH(CALL) + sizeof(EACH(TEXT)); }
#define LOOP(v, n) for (int v = 0; v < n; v++)
#define PASTE(a, b) a##b
double t_loops_by_macro(double x) { double PASTE(s, um) = 0; LOOP(i, 3) LOOP(j, 2) sum += i * x + j; return sum; }
double t_code_by_include(double x) {
#include "fragment.inc"
  return x;
}
