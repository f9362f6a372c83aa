//! Types of operations, side effects in expressions, the library.

mod common;

use common::statements;
use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&statements(text));
}

#[test]
fn operands_are_converted_where_types_differ_only() {
    check(
        "void f(double x, float y, int n, char c, unsigned u, long l, double *r) {
           r[0] = 2 * x; r[1] = x * y; r[2] = n / 2; r[3] = c + 1; r[4] = u + l; r[5] = y * 2.0f;
           n += 1.5; c++; r[6] = n < u; n = x > 1.0;
         }",
        expect![[r#"
            procedure f(x, y, n, c, u, l, r) {
              r[0] = f64(2) * x
              r[1] = x * f64(y)
              r[2] = f64(n / 2)
              r[3] = f64(i32(c) + 1)
              r[4] = f64(i64(u) + l)
              r[5] = f64(y * 2.0:f32)
              n = i32(f64(n) + 1.5)
              c = i8(i32(c) + 1)
              r[6] = f64(u32(n) < u)
              n = i32(x > 1.0)
        "#]],
    );
}

#[test]
fn effects_are_taken_out_in_order() {
    check(
        "double g(double); double f(int i, double x, double *a) {
           a[i++] = x; a[--i] += g(x) * g(2.0); x = a[0] = g(x);
           return (i = 3, x) + (x > 0.0 ? g(x) : 1.0);
         }",
        expect![[r#"
            procedure f(i, x, a) -> f {
              old = i
              i = i + 1
              a[old] = x
              i = i - 1
              g_value = call g(x)
              g_value_1 = call g(2.0)
              a[i] = a[i] + g_value * g_value_1
              g_value_2 = call g(x)
              a[0] = g_value_2
              x = a[0]
              i = 3
              if x > 0.0 {
                g_value_3 = call g(x)
                chosen = g_value_3
              } else {
                chosen = 1.0
              }
              f = x + chosen
        "#]],
    );
}

#[test]
fn the_right_operand_of_and_has_effects_only_if_it_is_evaluated() {
    check(
        "int g(int); int f(int a, int b) { if (a && g(b)) return 1; return a || g(a); }",
        expect![[r#"
            procedure f(a, b) -> f {
              holds = logical(a)
              if holds {
                g_value = call g(b)
                holds = logical(g_value)
              }
              if holds {
                f = 1
              } else {
                holds_1 = logical(a)
                if not holds_1 {
                  g_value_1 = call g(a)
                  holds_1 = logical(g_value_1)
                }
                f = i32(holds_1)
              }
        "#]],
    );
}

#[test]
fn the_mathematical_library_is_known() {
    check(
        "#include <math.h>
         #include <stdlib.h>
         void f(double x, float y, int n, double *r) {
           r[0] = fabs(x) + sqrt(2) + pow(x, 2) + pow(x, 0.5) + fmod(x, 2.0);
           r[1] = sqrtf(y) + powf(y, 2.0f) + fmin(x, y) + fmaxf(y, 1.0f);
           r[2] = abs(n) + atan2(x, 1.0) + lround(x) + floor(x) + (isnan(x) ? NAN : HUGE_VAL);
         }",
        expect![[r#"
            procedure f(x, y, n, r) {
              r[0] = abs(x) + sqrt(f64(2)) + x ** 2 + x ** 0.5 + x % 2.0
              r[1] = f64(sqrt(y) + y ** 2.0:f32) + min(x, f64(y)) + f64(max(y, 1.0:f32))
              r[2] = f64(abs(n)) + atan2(x, 1.0) + f64(nearest_integer(x):i64) + floor(x) + select(is_nan(x), f64(opaque("NAN"):f32), opaque("HUGE_VAL"):f64)
        "#]],
    );
}

#[test]
fn a_function_of_the_users_hides_one_of_the_library() {
    check(
        "static double gamma(double x) { return x; } double f(double x) { return gamma(x); }",
        expect![[r#"
            procedure `gamma`(x) -> `gamma` {
              `gamma` = x
            procedure f(x) -> f {
              f = call `gamma`(x)
        "#]],
    );
}

#[test]
fn constants_are_values() {
    check(
        "enum { A, B = 4, C }; typedef double real; typedef real row[3];
         int f(void) { return B + C + sizeof(row) + 'a' + 0x1F + 010 + (int)sizeof(int); }",
        expect![[r#"
            procedure f() -> f {
              f = i32(u64(4 + 5) + 24:u64 + u64(97) + u64(31) + u64(8) + u64(i32(4:u64)))
        "#]],
    );
}

#[test]
fn complex_numbers_are_pairs() {
    check(
        "#include <complex.h>
         double f(double complex z, double x) { z = z * x + I; return creal(cexp(z)) + cabs(z); }",
        expect![[r#"
            procedure f(z, x) -> f {
              z = z * c64(x) + c64(complex(0.0:f32, 1.0:f32))
              f = real_part(exp(z)) + abs(z)
        "#]],
    );
}

#[test]
fn statement_expressions_are_statements_and_a_value() {
    check(
        "double f(double x) { return ({ double t = x * x; t + 1.0; }) * 2.0; }",
        expect![[r#"
            procedure f(x) -> f {
              t = x * x
              value = t + 1.0
              f = value * 2.0
        "#]],
    );
}

#[test]
fn what_prints_is_quoted() {
    check(
        "#include <stdio.h>
         #include <assert.h>
         void f(double x) { printf(\"%g\\n\", x); assert(x > 0.0); }",
        expect![[r#"
            procedure f(x) {
              opaque "print" "printf(\"%g\\n\", x);" reads(x) writes()
              opaque "assert" "assert(x > 0.0);" reads(x) writes()
        "#]],
    );
}

#[test]
fn addresses_without_a_type_are_cast() {
    check(
        "static double g; double h(double *); void *k(void);
         double f(double x) { *(double *)k() = x; return *(double *)k() + g; }",
        expect![[r#"
            procedure f(x) -> f {
              k_value = call k()
              point cast = copy k_value
              cast.* = x
              k_value_1 = call k()
              point cast_1 = copy k_value_1
              f = cast_1.* + g
        "#]],
    );
}

#[test]
fn a_quoted_call_touches_the_members_that_it_is_given() {
    check(
        "#include <string.h>
         struct r { char tag[4]; double v; };
         double f(double x) { struct r a; a.v = x; memcpy(a.tag, \"abc\", 4); return a.v; }",
        expect![[r#"
            procedure f(x) -> f {
              a.v = x
              a.tag[0] = 97:i8
              a.tag[1] = 98:i8
              a.tag[2] = 99:i8
              a.tag[3] = 0:i8
              f = a.v
        "#]],
    );
}

#[test]
fn what_is_written_through_an_unknown_address_may_be_anything_that_is_reached() {
    check(
        "static double g; void *k(void);
         void f(double x, double *y) { double *p = (double *)k(); *p = x; *y = g; }",
        expect![[r#"
            procedure f(x, y) {
              k_value = call k()
              point cast = copy k_value
              point p = copy cast
              p.* = x
              y[0] = g
        "#]],
    );
}

#[test]
fn files_are_quoted_as_input_and_output() {
    let text = "#include <stdio.h>\n\
        double f(double x) {\n\
          FILE *file = fopen(\"table\", \"r\");\n\
          double y;\n\
          if (file == NULL) return x;\n\
          if (fscanf(file, \"%lf\", &y) != 1) return x;\n\
          fclose(file);\n\
          int n = printf(\"%g\\n\", y);\n\
          return x * y + n;\n}\n";
    let program = common::program(&[("a.c", text)]);
    common::assert_valid(&program);
    let f = &program.module.procedures[program.module.procedures_named("f")[0]];
    let kinds: Vec<&str> = f
        .all_statements()
        .into_iter()
        .filter_map(|id| match f.stmt(id) {
            contraflow_ir::Stmt::Opaque { kind, .. } => Some(*kind),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, ["open", "print", "write"]);
}

#[test]
fn further_arguments_of_a_users_function_are_quoted() {
    let text = "void note(int n, const char *format, ...);\ndouble g();\n\
        double f(double x) { note(1, \"a\"); note(2, \"%g\", x); return g(x); }\n";
    let program = common::program(&[("a.c", text)]);
    common::assert_valid(&program);
    let what: Vec<&str> = program
        .diagnostics
        .iter()
        .map(|found| found.message.as_str())
        .collect();
    assert_eq!(
        what,
        ["a call with a variable number of arguments is kept as it stands"]
    );
}
