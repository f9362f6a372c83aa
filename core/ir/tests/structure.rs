//! Structured programs compute what the programs with jumps did.

use contraflow_ir::generate::{Options, Program, program};
use contraflow_ir::interp::{Error, Machine, Value};
use contraflow_ir::parse::parse;
use contraflow_ir::print::print;
use contraflow_ir::structure::structure;
use contraflow_ir::verify::verify;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn run(program: &Program, seed: u64) -> Result<Vec<Value>, Error> {
    let mut arguments = program.arguments(5, seed);
    let mut machine = Machine::new(&program.module);
    machine.limit(300_000);
    machine.run(program.entry, &mut arguments)?;
    Ok(arguments)
}

fn structured(program: &Program) -> Program {
    let mut structured = program.clone();
    for (_, procedure) in structured.module.procedures.iter_mut() {
        structure(procedure);
    }
    structured
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn structured_programs_compute_the_same(
        choices in prop::collection::vec(any::<u8>(), 0..800),
        seed in 0u64..1000,
    ) {
        let options = Options { jumps: true, statements: 25, ..Options::default() };
        let original = program(&choices, options);
        let structured = structured(&original);
        if let Err(violations) = verify(&structured.module) {
            prop_assert!(false, "{violations:?}\n{}", print(&structured.module));
        }
        let expected = run(&original, seed);
        prop_assume!(expected != Err(Error::StepLimit));
        prop_assert!(expected.is_ok(), "{:?}\n{}", expected, print(&original.module));
        let found = run(&structured, seed);
        prop_assert!(
            found == expected,
            "{:?}\n{:?}\n{}\n{}",
            expected, found, print(&original.module), print(&structured.module)
        );
    }
}

/// Structures the body of a procedure with scalars and a vector, and expects the new body.
fn check(body: &str, expected: Expect) {
    let head = "procedure p(n, x, a) {\n  var n: i32 argument(0)\n  var x: f64 argument(1)\n  \
                var a: f64[n from 1] argument(2)\n  var i: i32\n  var j: i32\n";
    let mut module = parse(&format!("{head}{body}}}\n")).unwrap();
    for (_, procedure) in module.procedures.iter_mut() {
        structure(procedure);
    }
    assert!(verify(&module).is_ok());
    let text = print(&module);
    let body: String = text
        .lines()
        .filter(|line| !line.starts_with("procedure") && !line.starts_with("  var"))
        .filter(|line| *line != "}")
        .map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line)))
        .collect();
    expected.assert_eq(&body);
}

#[test]
fn statements_after_a_conditional_return_move_into_the_other_arm() {
    check(
        "if n < 1 { return } x = 1.0 if n < 2 { x = 2.0 return } x = 3.0 return x = 4.0",
        expect![[r#"
              if n >= 1 {
                x = 1.0
                if n < 2 {
                  x = 2.0
                } else {
                  x = 3.0
                }
              }
        "#]],
    );
}

#[test]
fn a_cycle_needs_no_flag_where_an_arm_always_jumps() {
    check(
        "loop i = 1, n @1 { if a[i] < 0.0 { cycle @1 } x = x + a[i] }",
        expect![[r#"
              loop i = 1, n {
                if not (a[i] < 0.0) {
                  x = x + a[i]
                }
              }
        "#]],
    );
}

#[test]
fn a_cycle_in_one_of_two_nested_arms_sets_a_flag() {
    check(
        "loop i = 1, n @1 { if a[i] < 0.0 { if x > 1.0 { cycle @1 } x = 0.0 } x = x + a[i] }",
        expect![[r#"
              loop i = 1, n {
                leave_1 = false
                if a[i] < 0.0 {
                  if x > 1.0 {
                    leave_1 = true
                  } else {
                    x = 0.0
                  }
                }
                if not leave_1 {
                  x = x + a[i]
                }
              }
        "#]],
    );
}

#[test]
fn a_loop_that_is_left_becomes_a_while() {
    check(
        "loop i = n - 1, 1, -1 @1 { x = x + a[i] if x > 2.0 { exit @1 } } x = x / 2.0",
        expect![[r#"
              i = n - 1
              leave_1 = false
              while i >= 1 and not leave_1 {
                x = x + a[i]
                if x > 2.0 {
                  leave_1 = true
                } else {
                  i = i - 1
                }
              }
              x = x / 2.0
        "#]],
    );
}

#[test]
fn bounds_that_the_loop_changes_are_saved() {
    check(
        "loop i = 1, n, j @1 { n = n - 1 j = 2 if x > 2.0 { exit @1 } }",
        expect![[r#"
              step_1 = j
              trips_1 = (i64(n) - i64(1) + i64(step_1)) / i64(step_1)
              i = 1
              leave_1 = false
              while trips_1 > 0:i64 and not leave_1 {
                n = n - 1
                j = 2
                if x > 2.0 {
                  leave_1 = true
                } else {
                  i = i + step_1
                  trips_1 = trips_1 - 1:i64
                }
              }
        "#]],
    );
    check(
        "loop i = 1, n @1 { n = n - 1 if x > 2.0 { exit @1 } }",
        expect![[r#"
              last_1 = n
              i = 1
              leave_1 = false
              while i <= last_1 and not leave_1 {
                n = n - 1
                if x > 2.0 {
                  leave_1 = true
                } else {
                  i = i + 1
                }
              }
        "#]],
    );
}

#[test]
fn a_return_leaves_all_loops() {
    check(
        "loop i = 1, n { loop j = 1, i { if a[j] < x { return } } x = x + a[i] } x = 0.0",
        expect![[r#"
              leave_1 = false
              i = 1
              while i <= n and not leave_1 {
                j = 1
                while j <= i and not leave_1 {
                  if a[j] < x {
                    leave_1 = true
                  } else {
                    j = j + 1
                  }
                }
                if not leave_1 {
                  x = x + a[i]
                  i = i + 1
                }
              }
              if not leave_1 {
                x = 0.0
              }
        "#]],
    );
}

#[test]
fn a_condition_that_may_fail_is_not_evaluated_after_an_exit() {
    check(
        "i = 1 while a[i] > 0.0 @1 { i = i + 1 if i > n { exit @1 } x = x + 1.0 }",
        expect![[r#"
              i = 1
              leave_1 = not (a[i] > 0.0)
              while not leave_1 {
                i = i + 1
                if i > n {
                  leave_1 = true
                } else {
                  x = x + 1.0
                  leave_1 = not (a[i] > 0.0)
                }
              }
        "#]],
    );
}

#[test]
fn an_endless_loop_asks_only_the_flag() {
    check(
        "while true @1 { x = x / 2.0 if x < 1.0 { exit @1 } i = i + 1 }",
        expect![[r#"
              leave_1 = false
              while not leave_1 {
                x = x / 2.0
                if x < 1.0 {
                  leave_1 = true
                } else {
                  i = i + 1
                }
              }
        "#]],
    );
}

#[test]
fn leaving_a_labelled_block_skips_the_rest_of_it() {
    check(
        "block @1 { switch n { case 1 { x = 1.0 exit @1 } case 2 { x = 2.0 } default { exit @1 } } x = 3.0 } x = x + 1.0",
        expect![[r#"
              switch n {
                case 1 {
                  x = 1.0
                }
                case 2 {
                  x = 2.0
                  x = 3.0
                }
                default {
                }
              }
              x = x + 1.0
        "#]],
    );
}

#[test]
fn flags_of_parallel_iterations_are_private() {
    check(
        "loop i = 1, n @1 directive(\"do\") { if x > 0.0 { if a[i] > 0.0 { cycle @1 } a[i] = 1.0 } a[i] = a[i] + x }",
        expect![[r#"
              loop i = 1, n directive("do", private leave_1) {
                leave_1 = false
                if x > 0.0 {
                  if a[i] > 0.0 {
                    leave_1 = true
                  } else {
                    a[i] = 1.0
                  }
                }
                if not leave_1 {
                  a[i] = a[i] + x
                }
              }
        "#]],
    );
}

#[test]
fn a_long_chain_of_returns_does_not_nest_without_end() {
    let chain = "if n == 1 { return } x = x + 1.0\n".repeat(3000);
    let mut module = parse(&format!(
        "procedure p(n, x) {{ var n: i32 argument(0) var x: f64 argument(1) {chain} }}"
    ))
    .unwrap();
    for (_, procedure) in module.procedures.iter_mut() {
        structure(procedure);
    }
    assert!(verify(&module).is_ok());
    let deepest = print(&module)
        .lines()
        .map(|line| line.len() - line.trim_start().len())
        .max();
    assert!(deepest < Some(40), "{deepest:?}");
}
