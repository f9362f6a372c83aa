/* Declarations as C and gcc have them. Each `t_` function is run as written and as lowered. */
#include <stdbool.h>
#include <stddef.h>

_Alignas(64) double aligned_array[8];
static double attributed[100] __attribute__((aligned(64)));
double unused_one __attribute__((unused)) = 1.0;
double t_alignment(double x) {
  return x * (_Alignof(double) + __alignof__(aligned_array[0]) + _Alignof(struct { char c; int i; }));
}

struct anonymous { union { int i; float f; }; struct { int a, b; }; };
double t_anonymous_members(double x) {
  struct anonymous s;
  s.i = 3; s.a = 4; s.b = (int)x;
  return s.i + s.a * s.b;
}

enum __attribute__((packed)) small { SMALL_A, SMALL_B };
typedef struct __attribute__((__aligned__(8))) s_t { char c[16]; } s_t;
enum marked { MARKED_A __attribute__((deprecated)), MARKED_B };
struct packed_at_the_end { int a; } __attribute__((packed));
__attribute__((noinline)) static int attributed_function(int a) { return a + 1; }
static inline __attribute__((always_inline)) int attributed_inline(int a) { return 2 * a; }
int __attribute__((noinline)) attributed_between(int a);
void (*__attribute__((cdecl)) attributed_pointer)(int);
int attributed_parameters(int a __attribute__((unused)), int *b __attribute__((nonnull)));
extern int named_in_assembly(int) __asm__("f_alias");
double t_attributes(double x) {
  attributed[3] = x;
  return attributed[3] + attributed_function(SMALL_B) + attributed_inline(MARKED_B);
}

_Atomic int atomic_a = 2;
_Atomic(int) atomic_b = 3;
double t_atomics(double x) { return x * atomic_a + atomic_b; }

double t_booleans(double x) {
  bool a = x;
  _Bool b = 0.5;
  return (!a && true) + b + (bool)0.1 * x;
}

struct point { double x, y; };
struct point make_point(double a) { return (struct point){ .x = a, 2 }; }
double t_compound_literals(double x) {
  double *p = (double[]){ 1, 2, 3 };
  struct point q = make_point(x);
  return p[0] + p[2] * q.x + q.y;
}

struct nested { int a, b[4]; struct { int c; } d; };
struct nested designated = { .a = 1, .b = { [1] = 2, [2 ... 3] = 5 }, .d.c = 3 };
int designated_length[] = { [3] = 1, 2 };
int old_designator[2] = { [0] 5 };
struct nested older_designator = { a: 1 };
double t_designators(double x) {
  struct nested n = { .a = 4, .b = { [1] = 2, [2 ... 3] = 5 }, .d.c = 3 };
  int local[] = { [3] = 1, 2 };
  return x * n.a + n.b[0] + n.b[1] + n.b[3] + n.d.c + local[3] * 10 + local[4]
       + sizeof(designated_length) / sizeof(int) + designated.b[2];
}

typedef int Twice;
typedef int Twice;
Twice twice = 3;
;
int after_stray;;
double t_typedef_twice(double x) { ; return x + twice; };

__extension__ typedef long long extended;
__extension__ struct { int a; } extended_object = { 6 };
double t_extensions(double x) { extended e = 5; return __extension__ ({ 1; }) + e + extended_object.a * x; }

struct flexible { int n; double a[]; };
struct zero_length { int n; double a[0]; };
double t_flexible_size(double x) { return x + sizeof(struct flexible) + sizeof(struct zero_length); }

typedef double (*function)(double, void *);
struct keeps_functions { function f; int (*g[3])(int); };
static double first_power(double x, void *unused) { return x; }
static double apply(function f, double x) { return (*f)(x, 0) + f(x, 0); }
int (*pick(int i))(int);
double t_function_pointers(double x) { return apply(first_power, x); }

struct returned { int a; } returns_new_type(void) { struct returned x = { 1 }; return x; }
double t_type_in_result(double x) { return returns_new_type().a + x; }

double old_style(a, b)
  int a;
  double *b;
{ return a + b[0]; }
double t_old_style(double x) { return old_style(3, &x); }

_Noreturn void never(void);
__attribute__((noreturn)) void never_too(void);
_Thread_local int of_a_thread = 1;
__thread int of_a_thread_too = 2;
inline static int inlined(void) { return 1; }
double t_thread_locals(double x) { return x + of_a_thread + of_a_thread_too + inlined(); }
extern __inline __attribute__ ((__gnu_inline__)) int __attribute__ ((__leaf__)) gnu_inlined (int a) { return a; }

void restricted(double *restrict a, double *__restrict b, double *__restrict__ c, const double *const restrict d) {
  a[0] = b[0] + c[0] * d[0];
}
double t_restrict(double x) {
  double a = 0, b = x, c = 2, d = 3;
  restricted(&a, &b, &c, &d);
  return a;
}

_Static_assert(sizeof(int) == 4, "x");
_Static_assert(sizeof(int) == 4);
struct asserts { int a; _Static_assert(1, "y"); };
double t_static_assert(double x) { _Static_assert(1, "z"); return x; }

typedef struct node node;
struct node { node *node; double value; };
double t_type_named_like_member(double x) {
  node n = { 0, x };
  return (n.node != 0) + n.value;
}

typedef int T;
double t_typedef_shadowed(double x) { T T = 1; return T + x; }
static int shadows(T T) { return T * T; }
struct has_member_t { T T; };
typedef double real;
double t_typedef_shadowed_twice(double x) {
  real real = 1.0;
  { int real = 2; (void)(real); x += real; }
  return (double)x * (double)-1 + real + shadows(3);
}

int unnamed_parameter(int) { return 1; }
double t_unnamed_parameter(double x) { return x * unnamed_parameter(2); }

static double over_lengths(int n, int m, double a[n][m], double b[static 3], double c[restrict], double d[]);
static double over_lengths(int n, int m, double a[n][m], double b[static 3], double c[restrict], double d[]) {
  double t[n][m+1];
  t[0][0] = a[0][0];
  t[n-1][m] = a[n-1][m-1] + b[2] + c[0] + d[1];
  return t[0][0] + t[n-1][m] + sizeof(double[n]) + sizeof t;
}
double t_variable_lengths(double x) {
  double a[2][3] = { { x, 2, 3 }, { 4, 5, x * x } }, b[3] = { 1, 2, x }, c[1] = { 4 }, d[2] = { 1, 2 };
  return over_lengths(2, 3, a, b, c, d);
}

struct empty { };
union empty_union { };
double t_empty_struct(double x) { struct empty e; (void)e; return x + sizeof(struct empty); }

int (*(*(*(*(*(*(*(*(*(*(*(*deep)(void))(void))(void))(void))(void))(void))(void))(void))(void))(void))(void))(void);
int deep_list[1][1][1][1][1][1][1][1][1][1][1][1] = {{{{{{{{{{{{1}}}}}}}}}}}};
struct bits { unsigned a : 3; unsigned : 0; int b : 5, c : 2; };
double t_bit_fields_unused(double x) { return x + sizeof(struct bits *); }

__attribute__((packed)) struct { char c; } packed_before;
struct tight { char c; double d; } __attribute__((packed));
double t_offsets(double x) {
  return x + offsetof(struct nested, b[2]) + offsetof(struct nested, d.c) + offsetof(struct point, y);
}
