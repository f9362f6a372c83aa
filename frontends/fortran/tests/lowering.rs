//! What the statements of Fortran become.

mod common;

use common::{body, body_in, codes, opaque, program};
use contraflow_ir::{Expr, Intent, Stmt, Storage, Type};
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&body(text));
}

#[test]
fn an_assignment_keeps_its_shape() {
    check(
        "subroutine s(n, x, a)\ninteger :: n\nreal(8) :: x, a(n)\nx = x + (a(n-1) + 1.d0)*2\nend",
        expect![[r#"
            x = x + (a[n - 1] + 1.) * f64(2)
        "#]],
    );
}

#[test]
fn powers_are_right_associative_and_minus_binds_weaker() {
    check(
        "subroutine s(x, y, z)\nreal :: x, y, z\nx = -y**2**3 - z\nend",
        expect![[r#"
            x = -(y ** (2 ** 3)) - z
        "#]],
    );
}

#[test]
fn mixed_arithmetic_converts_as_the_language_says() {
    check(
        "subroutine s(i, x, y)\ninteger i\nreal x\ndouble precision y\ny = i/2*x\ni = y\nx = i**2 + y**i\nend",
        expect![[r#"
            y = f64(f32(i / 2) * x)
            i = i32(y)
            x = f32(f64(i ** 2) + y ** i)
        "#]],
    );
}

#[test]
fn kinds_are_found_through_modules() {
    let program = program(&[
        (
            "b.f90",
            b"subroutine s(x)\nuse k, only: wp => dp\nreal(wp) :: x\nx = 1.5_wp\nend".as_slice(),
        ),
        (
            "a.f90",
            b"module k\ninteger, parameter :: dp = selected_real_kind(15, 307)\nend module",
        ),
    ]);
    let (_, procedure) = program
        .module
        .procedures
        .iter()
        .next()
        .expect("a procedure");
    assert_eq!(procedure.variables[procedure.arguments[0]].ty, Type::REAL8);
    assert!(codes(&program).is_empty());
}

#[test]
fn sections_become_loops_with_shifted_subscripts() {
    check(
        "subroutine s(n, a, b)\ninteger :: n\nreal(8) :: a(n), b(0:n-1)\na(2:n) = b(0:n-2)*2\nend",
        expect![[r#"
            loop i1 = 2, n {
              a[i1] = b[i1 - 2] * f64(2)
            }
        "#]],
    );
}

#[test]
fn reading_ahead_needs_no_temporary() {
    check(
        "subroutine s(n, a)\ninteger :: n\nreal(8) :: a(n)\na(1:n-1) = a(2:n)\nend",
        expect![[r#"
            loop i1 = 1, n - 1 {
              a[i1] = a[i1 + 1]
            }
        "#]],
    );
}

#[test]
fn reading_behind_needs_a_temporary() {
    check(
        "subroutine s(n, a)\ninteger, intent(in) :: n\nreal(8) :: a(n)\na(2:n) = a(1:n-1)\nend",
        expect![[r#"
            loop i1 = 2, n {
              values1[i1 - 1] = a[i1 - 1]
            }
            loop i1 = 2, n {
              a[i1] = values1[i1 - 1]
            }
        "#]],
    );
}

#[test]
fn a_transposed_matrix_is_not_read_in_place() {
    let text = "subroutine s(c)\nreal :: c(3,3)\nc = transpose(c)\nend";
    assert!(body(text).contains("values1"), "{}", body(text));
}

#[test]
fn reductions_become_loops() {
    check(
        "subroutine s(n, a, m, x)\ninteger :: n\nreal(8) :: a(n), x\nlogical :: m(n)\nx = sum(a, mask=m) + maxval(a)\nend",
        expect![[r#"
            sum_1 = 0.0
            loop i1 = 1, n {
              if m[i1] {
                sum_1 = sum_1 + a[i1]
              }
            }
            maxval_1 = -huge(0.0)
            loop i1 = 1, n {
              maxval_1 = max(maxval_1, a[i1])
            }
            x = sum_1 + maxval_1
        "#]],
    );
}

#[test]
fn calls_are_taken_out_in_order() {
    check(
        "subroutine s(x, y)\nreal :: x, y\nreal, external :: f, g\ny = f(x) + x*g(y)\nend",
        expect![[r#"
            f_1 = call external f(&x)
            g_1 = call external g(&y)
            y = f_1 + x * g_1
        "#]],
    );
}

#[test]
fn a_condition_with_a_call_is_computed_in_each_pass() {
    check(
        "subroutine s(x)\nreal :: x\nreal, external :: f\ndo while (f(x) > 0)\nx = x - 1\nend do\nend",
        expect![[r#"
            leave_1 = false
            while not leave_1 {
              f_1 = call external f(&x)
              if not (f_1 > f32(0)) {
                leave_1 = true
              } else {
                x = x - f32(1)
              }
            }
        "#]],
    );
}

#[test]
fn keywords_and_optional_arguments_are_put_in_order() {
    check(
        "module m\ncontains\nsubroutine t(a)\nreal :: a\ncall u(c=a, a=1.0)\nend subroutine\nsubroutine u(a, b, c)\nreal :: a, c\nreal, optional :: b\nc = a\nend subroutine\nend module",
        expect![[r#"
            call u(1.0:f32, absent, &a)
        "#]],
    );
}

#[test]
fn jumps_ahead_and_back_become_structure() {
    check(
        "subroutine s(i, x)\n10 if (i > 4) goto 20\nx = x + i\ni = i + 1\ngoto 10\n20 continue\nend",
        expect![[r#"
            leave_1 = false
            while not leave_1 {
              if i > 4 {
                leave_1 = true
              } else {
                x = x + f32(i)
                i = i + 1
              }
            }
        "#]],
    );
}

#[test]
fn shared_labels_end_both_loops() {
    check(
        "subroutine s(a)\nreal a(3,3)\ndo 10 i = 1, 3\ndo 10 j = 1, 3\n10 a(i,j) = i*j\nend",
        expect![[r#"
            loop i = 1, 3 {
              loop j = 1, 3 {
                a[i, j] = f32(i * j)
              }
            }
        "#]],
    );
}

#[test]
fn a_real_loop_variable_counts_its_passes_first() {
    check(
        "subroutine s(x)\nreal :: x, r\ndo r = 0.0, 1.0, 0.25\nx = x + r\nend do\nend",
        expect![[r#"
            step1 = 0.25:f32
            passes1 = i32((1.0:f32 - 0.0:f32 + step1) / step1)
            r = 0.0:f32
            while passes1 > 0 {
              x = x + r
              r = r + step1
              passes1 = passes1 - 1
            }
        "#]],
    );
}

#[test]
fn where_evaluates_its_mask_before_it_changes() {
    check(
        "subroutine s(a)\nreal :: a(4)\nwhere (a > 0) a = -a\nend",
        expect![[r#"
            loop i1 = 1, 4 {
              mask1[i1] = a[i1] > f32(0)
            }
            loop i1 = 1, 4 {
              if mask1[i1] {
                a[i1] = -a[i1]
              }
            }
        "#]],
    );
}

#[test]
fn statement_functions_are_put_in() {
    check(
        "subroutine s(x)\nreal :: x, f, a\nf(a) = a*a + 1\nx = f(x - 1)\nend",
        expect![[r#"
            x = (x - f32(1)) * (x - f32(1)) + f32(1)
        "#]],
    );
}

#[test]
fn fixed_form_reads_glued_words() {
    let text = "      SUBROUTINES(X)\n      DO10I=1,3\n      X=X+I\n   10 CONTINUE\n      DO20I=1.5\n      END\n";
    expect![[r#"
        loop i = 1, 3 {
          X = X + f32(i)
        }
        do20i = 1.5:f32
    "#]]
    .assert_eq(&body_in("a.f", text));
}

#[test]
fn keywords_may_be_names() {
    check(
        "subroutine s(if, data)\nreal :: if, data(3)\nif = data(1)\ndata(2) = if\nif (if > 0) if = 1\nend",
        expect![[r#"
            `if` = data[1]
            data[2] = `if`
            if `if` > f32(0) {
              `if` = f32(1)
            }
        "#]],
    );
}

#[test]
fn openmp_clauses_are_facts_of_the_loop() {
    let program = program(&[(
        "a.f90",
        b"subroutine s(n, a, t)\ninteger :: n, i\nreal :: a(n), t\n!$omp parallel do private(i) &\n!$omp reduction(+: t)\ndo i = 1, n\nt = t + a(i)\nend do\n!$omp end parallel do\nend",
    )]);
    let (_, procedure) = program
        .module
        .procedures
        .iter()
        .next()
        .expect("a procedure");
    let Stmt::Loop {
        directive: Some(directive),
        ..
    } = procedure.stmt(procedure.body[0])
    else {
        panic!("the body is a loop with a directive");
    };
    assert!(directive.independent);
    assert_eq!(
        directive.private,
        [procedure.variable_named("i").expect("i")]
    );
    let t = procedure.variable_named("t").expect("t");
    assert_eq!(directive.reductions, [("+".to_owned(), t)]);
}

#[test]
fn common_blocks_give_offsets() {
    let program = program(&[(
        "a.f",
        b"      subroutine s\n      common /c/ i, x(3), d\n      double precision d\n      d = x(1) + i\n      end\n",
    )]);
    let (_, procedure) = program
        .module
        .procedures
        .iter()
        .next()
        .expect("a procedure");
    let offset = |name| {
        let var = procedure.variable_named(name).expect("a variable");
        match procedure.variables[var].storage {
            Storage::Common { offset, .. } => offset,
            other => panic!("{name} is {other:?}"),
        }
    };
    assert_eq!((offset("i"), offset("x"), offset("d")), (0, 4, 16));
    assert_eq!(
        program
            .module
            .commons
            .iter()
            .next()
            .expect("a block")
            .1
            .bytes,
        24
    );
}

#[test]
fn imported_constants_are_globals_with_values() {
    let program = program(&[(
        "a.f90",
        b"module c\nreal(8), parameter :: g = 9.81d0\nend module\nsubroutine s(x)\nuse c, only: g\nreal(8), intent(inout) :: x\nx = g*x\nend",
    )]);
    let (_, procedure) = program
        .module
        .procedures
        .iter()
        .next()
        .expect("a procedure");
    let g = &procedure.variables[procedure.variable_named("g").expect("g")];
    let Storage::Constant {
        value: Some(value),
        global: Some(_),
    } = g.storage
    else {
        panic!("{:?}", g.storage);
    };
    assert_eq!(*procedure.expr(value), Expr::Real("9.81".to_owned()));
    assert_eq!(procedure.home.prologue, ["use c, only: g"]);
    let x = &procedure.variables[procedure.arguments[0]];
    assert_eq!(x.intent, Intent::InOut);
}

#[test]
fn tables_get_their_values_at_entry() {
    check(
        "subroutine s(i, x)\nreal :: x, c(3)\ndata c /2*1.5, 2.0/\nx = c(i)\nend",
        expect![[r#"
            c[1] = 1.5:f32
            c[2] = 1.5:f32
            c[3] = 2.0:f32
            x = c[i]
        "#]],
    );
}

#[test]
fn an_array_that_is_written_keeps_its_values() {
    let text = b"subroutine s(i, x)\nreal :: x, c(5)\ndata c(2), (c(i), i = 3, 5, 2) /3*1.5/\n\
                 x = c(i)\nc(i) = x + 1\nend";
    let program = program(&[("a.f90", text)]);
    assert!(opaque(&program).is_empty());
    let (_, procedure) = program.module.procedures.iter().next().unwrap();
    let c = &procedure.variables[procedure.variable_named("c").unwrap()];
    assert_eq!(c.storage, Storage::Saved);
    let values: Vec<(u64, &Expr)> = c
        .values
        .iter()
        .map(|&(count, value)| (count, procedure.expr(value)))
        .collect();
    let (zero, value) = (Expr::Real("0.0".into()), Expr::Real("1.5".into()));
    assert_eq!(values, [(1, &zero), (2, &value), (1, &zero), (1, &value)]);
}

#[test]
fn output_is_quoted_with_its_format() {
    check(
        "subroutine s(x)\nreal :: x\nwrite (*, 100) x\n100 format ('x = ', f8.3)\nend",
        expect![[r#"
            opaque "write" "write (*,'(''x = '',f8.3)') x" reads(x) writes()
        "#]],
    );
}

#[test]
fn spans_point_into_the_original_text() {
    let text = b"subroutine s(x)\n  real :: x\n  x = x & ! first\n    + 1.0\nend";
    let program = program(&[("a.f90", text)]);
    let (_, procedure) = program
        .module
        .procedures
        .iter()
        .next()
        .expect("a procedure");
    let span = procedure.stmts[procedure.body[0]].span;
    assert_eq!(program.sources.snippet(span), "x = x & ! first\n    + 1.0");
    let home = program.sources.snippet(procedure.home.span);
    assert!(home.starts_with("subroutine s(x)") && home.ends_with("end"));
}

#[test]
fn containers_say_where_text_may_be_added() {
    let text = b"module m\n  real :: x\ncontains\n  subroutine s\n    x = 1\n  end subroutine\nend module\n";
    let program = program(&[("a.f90", text)]);
    let (_, container) = program.module.containers.iter().next().expect("a module");
    let text = std::str::from_utf8(text).expect("text");
    assert!(text[container.declare_at as usize..].starts_with("contains"));
    assert!(text[container.insert_at as usize..].starts_with("end module"));
}
