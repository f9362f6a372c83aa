//! Declarations, `switch`, `goto`, early returns.

mod common;

use common::{procedures, statements};
use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&statements(text));
}

#[test]
fn arms_that_fall_through_repeat_what_they_fall_into() {
    check(
        "int f(int k) {
           int r = 0;
           switch (k) { case 1: r++; case 2: case 3: r += 2; break; case 4: { r = 9; break; } default: r = 7; }
           return r;
         }",
        expect![[r#"
            procedure f(k) -> f {
              r = 0
              switch k {
                case 1 {
                  r = r + 1
                  r = r + 2
                }
                case 2, 3 {
                  r = r + 2
                }
                case 4 {
                  r = 9
                }
                default {
                  r = 7
                }
              }
              f = r
        "#]],
    );
}

#[test]
fn a_break_inside_an_arm_leaves_the_switch() {
    check(
        "int f(int k, int r) { switch (k) { case 1: if (r) break; r = 2; break; } return r; }",
        expect![[r#"
            procedure f(k, r) -> f {
              switch k {
                case 1 {
                  if not logical(r) {
                    r = 2
                  }
                }
                default {
                }
              }
              f = r
        "#]],
    );
}

#[test]
fn a_goto_forward_leaves_a_block() {
    check(
        "int f(int n, double *a) {
           for (int i = 0; i < n; i++) if (a[i] < 0.0) goto bad;
           return 0;
         bad:
           return 1;
         }",
        expect![[r#"
            procedure f(n, a) -> f {
              leave_2 = false
              leave_1 = false
              i = 0
              while i <= n - 1 and not leave_1 {
                if a[i] < 0.0 {
                  leave_1 = true
                } else {
                  i = i + 1
                }
              }
              if not leave_1 {
                f = 0
                leave_2 = true
              }
              if not leave_2 {
                f = 1
              }
        "#]],
    );
}

#[test]
fn a_goto_back_is_a_loop() {
    check(
        "double f(double x) { again: x = 0.5 * x; if (x > 1.0) goto again; return x; }",
        expect![[r#"
            procedure f(x) -> f {
              leave_1 = false
              while not leave_1 {
                x = 0.5 * x
                if not (x > 1.0) {
                  f = x
                  leave_1 = true
                }
              }
        "#]],
    );
}

#[test]
fn a_loop_is_taken_apart_where_a_goto_leads_into_it() {
    check(
        "int f(int n) { if (n) goto in; while (n) { n--; in: n--; } return n; }",
        expect![[r#"
            procedure f(n) -> f {
              if logical(n) {
                state = 2
              } else {
                state = 1
              }
              leave_2 = false
              while not leave_2 {
                leave_3 = false
                leave_1 = false
                switch state {
                  case 2 {
                    leave_1 = true
                  }
                  default {
                  }
                }
                if not leave_1 {
                  if not logical(n) {
                    leave_2 = true
                  } else {
                    n = n - 1
                    state = 2
                    leave_3 = true
                  }
                }
                if not leave_2 and not leave_3 {
                  n = n - 1
                  state = 1
                }
              }
              f = n
        "#]],
    );
}

#[test]
fn shadowed_names_are_renamed() {
    expect![[r#"
        procedure f(x) -> f {
          var f: f64 result spelling("double")
          var x: f64 argument(0) value spelling("double")
          var x_1: f64 spelling("double")
          var x_2: i32 spelling("int")
          x_1 = 2.0
          x_1 = x_1 * x_1
          x_2 = 1
          f = x
        }
    "#]]
    .assert_eq(&procedures(
        "double f(double x) { { double x = 2.0; x = x * x; { int x = 1; (void)x; } } return x; }",
    ));
}

#[test]
fn initial_values_are_assignments() {
    check(
        "struct p { double x, y[2]; };
         void f(double x, double *r) {
           const double c = 2.0 * x, d = c + 1.0;
           double a[3] = { 1.0 }, b[] = { x, c }, m[2][2] = { { 1.0, 2.0 }, { 3.0, 4.0 } };
           struct p p = { .y = { 1.0, 2.0 } };
           *r = a[0] + b[1] + m[1][0] + p.y[1] + d;
         }",
        expect![[r#"
            procedure f(x, r) {
              c = 2.0 * x
              d = c + 1.0
              fill a = 0.0
              a[0] = 1.0
              b[0] = x
              b[1] = c
              m[0, 0] = 1.0
              m[1, 0] = 2.0
              m[0, 1] = 3.0
              m[1, 1] = 4.0
              p.x = 0.0
              p.y[0] = 0.0
              p.y[1] = 0.0
              p.y[0] = 1.0
              p.y[1] = 2.0
              r[0] = a[0] + b[1] + m[0, 1] + p.y[1] + d
        "#]],
    );
}

#[test]
fn statics_keep_their_values() {
    expect![[r#"
        procedure f(x) -> f {
          var f: f64 result spelling("double")
          var x: f64 argument(0) value in spelling("double")
          var calls: i32 saved initial(0) spelling("int")
          var last: f64[2 from 0] saved spelling("double")
          var last_is_set: logical saved initial(false)
          var c: f64[2 from 0] spelling("double")
          if not last_is_set {
            last_is_set = true
            last[0] = 1.0
            last[1] = 2.0
          }
          c[0] = 3.0
          c[1] = 4.0
          calls = calls + 1
          last[0] = x
          f = last[1] * f64(calls) * c[1]
        }
    "#]].assert_eq(&procedures(
        "double f(double x) {
           static int calls = 0; static double last[2] = { 1.0, 2.0 }; static const double c[2] = { 3.0, 4.0 };
           calls++; last[0] = x; return last[1] * calls * c[1];
         }",
    ));
}

#[test]
fn old_style_definitions_have_types() {
    expect![[r#"
        procedure f(n, a) -> f {
          var f: f64 result spelling("double")
          var n: i32 argument(0) value in spelling("int")
          var a: f64[? from 0] argument(1) may_alias spelling("double")
          f = a[n]
        }
    "#]]
    .assert_eq(&procedures(
        "double f(n, a) int n; double *a; { return a[n]; }",
    ));
}
