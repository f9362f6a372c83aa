//! Pointers: as arrays, as offsets, as names of fixed addresses, as values.

mod common;

use common::{procedures, statements};
use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&statements(text));
}

#[test]
fn parameters_have_shapes_fastest_first() {
    expect![[r#"
        procedure f(n, m, u, a, b, c, d) {
          var n: i32 argument(0) value in spelling("int")
          var m: i32 argument(1) value in spelling("int")
          var u: f64[? from 0] argument(2) may_alias spelling("double")
          var a: f64[m from 0, n from 0] argument(3) may_alias spelling("double")
          var b: f64[m from 0, ? from 0] argument(4) may_alias spelling("double")
          var c: f32[? from 0] argument(5) in read_only spelling("float")
          var d: f64[4 from 0, 3 from 0] argument(6) may_alias spelling("double")
          a[0, n - 1] = u[1] + b[2, 1] + f64(c[0]) + d[3, 2]
        }
    "#]]
    .assert_eq(&procedures(
        "void f(int n, int m, double *u, double a[n][m], double (*b)[m], const float *restrict c,
                double d[3][4]) { a[n - 1][0] = u[1] + b[1][2] + c[0] + d[2][3]; }",
    ));
}

#[test]
fn scalars_behind_pointers_are_elements() {
    check(
        "void f(double *s) { *s = *s + 1.0; s[0] *= 2.0; }",
        expect![[r#"
        procedure f(s) {
          s[0] = s[0] + 1.0
          s[0] = s[0] * 2.0
    "#]],
    );
}

#[test]
fn addresses_are_passed_as_places() {
    check(
        "void g(double *u, double *s, double *t); double h(double (*a)[3]);
         double f(int n, double *u, double a[5][3]) {
           double x;
           g(u + n, &x, &u[2]);
           g(a[1], &a[1][2], 0);
           return h(a) + h(a + 1);
         }",
        expect![[r#"
            procedure f(n, u, a) -> f {
              call g(&u[n], &x, &u[2])
              call g(&a[0, 1], &a[2, 1], absent)
              h_value = call h(&a)
              h_value_1 = call h(&a[0, 1])
              f = h_value + h_value_1
        "#]],
    );
}

#[test]
fn a_pointer_that_is_set_once_is_a_name_for_an_address() {
    check(
        "void f(int n, double *a) {
           double *p = a + n;
           const double *q = &p[2];
           p[1] = q[0];
           for (int i = 0; i < n; i++) { double *row = a + i * n; row[i] = 0.0; }
         }",
        expect![[r#"
            procedure f(n, a) {
              a[n + 1] = a[n + 2]
              loop i = 0, n - 1 {
                a[i * n + i] = 0.0
              }
        "#]],
    );
}

#[test]
fn an_address_keeps_the_subscripts_that_it_was_made_with() {
    check(
        "void f(int n, double *a) { double *p = a + n; n = 0; p[n] = 1.0; }",
        expect![[r#"
            procedure f(n, a) {
              p_at = n
              n = 0
              a[p_at + n] = 1.0
        "#]],
    );
}

#[test]
fn a_pointer_that_walks_is_an_offset() {
    check(
        "double f(int n, const double *x) {
           double s = 0.0;
           const double *p = x, *end = x + n;
           while (p < end) s += *p++;
           return s;
         }",
        expect![[r#"
            procedure f(n, x) -> f {
              s = 0.0
              p_at = 0
              while p_at < n {
                old = p_at
                p_at = p_at + 1
                s = s + x[old]
              }
              f = s
        "#]],
    );
}

#[test]
fn a_parameter_that_walks_is_an_offset() {
    check(
        "void f(int n, double *y, const double *x) { while (n--) *y++ = 2.0 * *x++; }",
        expect![[r#"
            procedure f(n, y, x) {
              y_at = 0
              x_at = 0
              leave_1 = false
              while not leave_1 {
                old = n
                n = n - 1
                if not logical(old) {
                  leave_1 = true
                } else {
                  old_1 = x_at
                  x_at = x_at + 1
                  old_2 = y_at
                  y_at = y_at + 1
                  y[old_2] = 2.0 * x[old_1]
                }
              }
        "#]],
    );
}

#[test]
fn pointers_that_change_places_are_values() {
    check(
        "void f(double *u, double *v) { double *t = u; u = v; v = t; u[1] = *v; }",
        expect![[r#"
            procedure f(u, v) {
              point t = copy u
              point u = copy v
              point v = copy t
              u.*[1] = v.*
        "#]],
    );
}

#[test]
fn allocated_memory_is_an_array() {
    expect![[r#"
        procedure f(n, m) -> f {
          var f: f64 result spelling("double")
          var n: i32 argument(0) value in spelling("int")
          var m: i32 argument(1) value in spelling("int")
          var a: f64[& from 0] pointed spelling("double")
          var b: f64[m from 0, & from 0] pointed spelling("double")
          var r: f64 spelling("double")
          allocate a (n)
          allocate b (m, n) zeroed
          a[0] = 1.0
          b[2, 1] = a[0]
          r = b[2, 1]
          free a
          free b
          f = r
        }
    "#]]
    .assert_eq(&procedures(
        "#include <stdlib.h>
         double f(int n, int m) {
           double *a = malloc(n * sizeof(double));
           double (*b)[m] = calloc(n, sizeof *b);
           a[0] = 1.0; b[1][2] = a[0];
           double r = b[1][2];
           free(a); free(b);
           return r;
         }",
    ));
}

#[test]
fn members_are_reached_through_pointers() {
    check(
        "struct p { double x, v[3]; struct { int k; }; double *w; };
         double f(struct p *p, struct p q, int i) {
           p->x = q.v[i]; p[1].k = 2; q.w[i] = p->x; *q.w = 1.0;
           return q.x;
         }",
        expect![[r#"
            procedure f(p, q, i) -> f {
              p[0].x = q.v[i]
              p[1].``.k = 2
              q.w.*[i] = p[0].x
              q.w.* = 1.0
              f = q.x
        "#]],
    );
}

#[test]
fn null_is_a_question_of_presence() {
    check(
        "#include <stddef.h>
         void f(double *p, double *q) { if (p != NULL && q) *p = 1.0; if (!p) *q = 2.0; }",
        expect![[r#"
            procedure f(p, q) {
              if present(p) && present(q) {
                p[0] = 1.0
              }
              if not present(p) {
                q[0] = 2.0
              }
        "#]],
    );
}

#[test]
fn an_untyped_address_that_is_cast_to_one_type_is_a_pointer_to_it() {
    expect![[r#"
        procedure f(x, q, r) -> f {
          var f: f64 result spelling("double")
          var x: f64 argument(0) value in spelling("double")
          var q: record(0)[? from 0] argument(1) may_alias spelling("struct p")
          var r: f64[? from 0] argument(2) in may_alias read_only spelling("double")
          f = q[0].a * x + r[0]
        }
    "#]].assert_eq(&procedures(
        "struct p { double a; };
         double f(double x, void *q, const void *r) { return ((struct p *)q)->a * x + *(double *)r; }",
    ));
}

#[test]
fn a_pointer_may_walk_over_memory_that_is_allocated_once() {
    check(
        "#include <stdlib.h>
         double f(int n) {
           double *t = malloc(n * sizeof *t), s = 0.0, *p;
           for (p = t; p < t + n; p++) s += *p;
           free(t);
           return s;
         }",
        expect![[r#"
            procedure f(n) -> f {
              allocate t (n)
              s = 0.0
              p_at = 0
              while p_at < n {
                s = s + t[p_at]
                p_at = p_at + 1
              }
              free t
              f = s
        "#]],
    );
}

/// A pointer of which a member leads elsewhere is released like another one.
#[test]
fn what_leads_elsewhere_is_a_member() {
    check(
        "#include <stdlib.h>
         struct s { int n; void *state; };
         extern void *other(int n);
         void f(int n) {
           struct s *p = malloc(sizeof(struct s));
           p->state = other(n);
           if (p->state == 0) { free(p); return; }
           p->n = n;
           free(p);
         }",
        expect![[r#"
            procedure f(n) {
              allocate p (1)
              other_value = call other(n)
              point p[0].state = copy other_value
              if not present(p[0].state) {
                free p
              } else {
                p[0].n = n
                free p
              }
        "#]],
    );
}
