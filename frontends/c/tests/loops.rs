//! Which loops count, and what the others become.

mod common;

use common::statements;
use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&statements(text));
}

#[test]
fn a_for_that_counts_is_a_loop_with_an_inclusive_bound() {
    check(
        "void f(int n, double *a) {
           for (int i = 0; i < n; i++) a[i] = 1.0;
           for (int i = 1; i < n - 1; ++i) a[i] = 1.0;
           for (int i = 0; i <= n; i += 2) a[i] = 1.0;
           for (int i = n - 1; i >= 0; i--) a[i] = 1.0;
           for (int i = n; i > 1; i -= 3) a[i] = 1.0;
           for (int i = 0; n > i; i = i + 1) a[i] = 1.0;
           for (int i = 0; i != 10; i++) a[i] = 1.0;
         }",
        expect![[r#"
            procedure f(n, a) {
              loop i = 0, n - 1 {
                a[i] = 1.0
              }
              loop i = 1, n - 2 {
                a[i] = 1.0
              }
              loop i = 0, n, 2 {
                a[i] = 1.0
              }
              loop i = n - 1, 0, -1 {
                a[i] = 1.0
              }
              loop i = n, 2, -3 {
                a[i] = 1.0
              }
              loop i = 0, n - 1 {
                a[i] = 1.0
              }
              loop i = 0, 9 {
                a[i] = 1.0
              }
        "#]],
    );
}

#[test]
fn an_unsigned_counter_gets_a_sign_so_that_an_empty_loop_is_empty() {
    check(
        "void f(unsigned long n, double *a) {
           for (unsigned long i = 0; i < n; i++) a[i] = 1.0;
         }",
        expect![[r#"
            procedure f(n, a) {
              loop i = 0:i64, i64(n) - 1:i64, 1:i64 {
                a[i] = 1.0
              }
        "#]],
    );
}

#[test]
fn a_loop_whose_bound_changes_is_a_while() {
    check(
        "void f(int n, double *a) {
           for (int i = 0; i < n; i++) { a[i] = 1.0; n--; }
         }",
        expect![[r#"
            procedure f(n, a) {
              i = 0
              while i < n {
                a[i] = 1.0
                n = n - 1
                i = i + 1
              }
        "#]],
    );
}

#[test]
fn a_loop_whose_counter_is_written_is_a_while() {
    check(
        "void f(int n, double *a) {
           int i;
           for (i = 0; i < n; i++) if (a[i] > 1.0) i++;
         }",
        expect![[r#"
            procedure f(n, a) {
              i = 0
              while i < n {
                if a[i] > 1.0 {
                  i = i + 1
                }
                i = i + 1
              }
        "#]],
    );
}

#[test]
fn a_bound_in_memory_that_the_body_writes_is_no_bound() {
    check(
        "void f(int *n, int *m) { for (int i = 0; i < *n; i++) m[i] = 0; }",
        expect![[r#"
            procedure f(n, m) {
              i = 0
              while i < n[0] {
                m[i] = 0
                i = i + 1
              }
        "#]],
    );
}

#[test]
fn several_initial_values_are_set_in_order() {
    check(
        "double f(int n, double *a) {
           int i; double s;
           for (s = 0.0, i = 0; i < n; i++) s += a[i];
           return s;
         }",
        expect![[r#"
            procedure f(n, a) -> f {
              s = 0.0
              loop i = 0, n - 1 {
                s = s + a[i]
              }
              f = s
        "#]],
    );
}

#[test]
fn a_condition_with_effects_is_evaluated_before_each_pass() {
    check(
        "int g(int); void f(int n, double *a) { while (n-- > 0 && g(n)) a[n] = 0.5; }",
        expect![[r#"
            procedure f(n, a) {
              leave_1 = false
              while not leave_1 {
                old = n
                n = n - 1
                holds = old > 0
                if holds {
                  g_value = call g(n)
                  holds = logical(g_value)
                }
                if not holds {
                  leave_1 = true
                } else {
                  a[n] = 0.5
                }
              }
        "#]],
    );
}

#[test]
fn continue_in_a_while_reaches_the_step() {
    check(
        "void f(double x, double *a) {
           for (double t = 0.0; t < x; t += 0.1) { if (*a > 1.0) continue; *a = *a + t; }
         }",
        expect![[r#"
            procedure f(x, a) {
              t = 0.0
              while t < x {
                if not (a[0] > 1.0) {
                  a[0] = a[0] + t
                }
                t = t + 0.1
              }
        "#]],
    );
}

#[test]
fn break_leaves_a_counted_loop() {
    check(
        "int f(int n, double *a) { int i; for (i = 0; i < n; i++) if (a[i] < 0.0) break; return i; }",
        expect![[r#"
            procedure f(n, a) -> f {
              i = 0
              leave_1 = false
              while i <= n - 1 and not leave_1 {
                if a[i] < 0.0 {
                  leave_1 = true
                } else {
                  i = i + 1
                }
              }
              f = i
        "#]],
    );
}

#[test]
fn do_while_tests_after_the_body() {
    check(
        "double f(double x) { do x = 0.5 * x; while (x > 1.0); return x; }",
        expect![[r#"
            procedure f(x) -> f {
              leave_1 = false
              while not leave_1 {
                x = 0.5 * x
                if not (x > 1.0) {
                  leave_1 = true
                }
              }
              f = x
        "#]],
    );
}

#[test]
fn do_while_zero_is_a_block() {
    check(
        "void f(double *x) { do { if (*x > 1.0) break; *x = 2.0; } while (0); }",
        expect![[r#"
            procedure f(x) {
              if not (x[0] > 1.0) {
                x[0] = 2.0
              }
        "#]],
    );
}

#[test]
fn directives_are_facts_of_their_loop() {
    check(
        "double f(int n, double *a) {
           double s = 0.0; int i;
         #pragma omp parallel for private(i) reduction(+:s)
           for (i = 0; i < n; i++) s += a[i];
         #pragma omp parallel
           { a[0] = s; }
           return s;
         }",
        expect![[r#"
            procedure f(n, a) -> f {
              s = 0.0
              loop i = 0, n - 1 directive("parallel for private(i) reduction(+:s)", private i, reduction "+" s, independent, collapse 1) {
                s = s + a[i]
              }
              region directive("parallel", collapse 1) {
                a[0] = s
              }
              f = s
        "#]],
    );
}

#[test]
fn a_bound_that_is_no_integer_makes_a_while() {
    check(
        "double f(double x) { double s = 0.0; for (int i = 0; i < x; i++) s += 1.0; return s; }",
        expect![[r#"
            procedure f(x) -> f {
              s = 0.0
              i = 0
              while f64(i) < x {
                s = s + 1.0
                i = i + 1
              }
              f = s
        "#]],
    );
}
