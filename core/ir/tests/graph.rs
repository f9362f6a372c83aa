//! Pieces that jump to each other in any way compute the same once they are structured.

use contraflow_ir::interp::{Machine, Value};
use contraflow_ir::parse::parse;
use contraflow_ir::print::print;
use contraflow_ir::structure::{Piece, join, structure};
use contraflow_ir::verify::verify;
use contraflow_ir::{JumpLabel, Module, Procedure, Stmt, Type, Variable};
use expect_test::{Expect, expect};
use proptest::prelude::*;

/// Where a piece goes on, after it has mixed its number into a hash.
#[derive(Clone, Debug)]
struct Step {
    /// Jumps to a piece if the hash leaves this remainder, from a loop or not.
    branches: Vec<(usize, i64, i64, bool)>,
    /// Jumps to a piece in any case.
    last: Option<usize>,
}

fn mixed(hash: i64, number: i64) -> i64 {
    (hash * 31 + number) % 1009
}

/// What the pieces leave in the counter and in the hash.
fn simulated(steps: &[Step], mut fuel: i64, mut hash: i64) -> (i64, i64) {
    let mut at = 0;
    'pieces: while let Some(step) = steps.get(at) {
        fuel -= 1;
        if fuel < 0 {
            break;
        }
        hash = mixed(hash, at as i64);
        for &(target, divisor, remainder, in_loop) in &step.branches {
            for pass in 1..=(if in_loop { 3 } else { 1 }) {
                hash = if in_loop { mixed(hash, pass) } else { hash };
                if hash % divisor == remainder {
                    at = target;
                    continue 'pieces;
                }
            }
        }
        at = step.last.unwrap_or(at + 1);
    }
    (fuel, hash)
}

/// The pieces as labelled blocks, one after the other.
fn text(steps: &[Step]) -> String {
    let mut blocks = String::new();
    for (number, step) in steps.iter().enumerate() {
        blocks += &format!("block @{number} {{ n = n - 1 if n < 0 {{ return }}\n");
        blocks += &format!("h = (h * 31 + {number}) % 1009\n");
        for (target, divisor, remainder, in_loop) in &step.branches {
            let branch = format!("if h % {divisor} == {remainder} {{ exit @{target} }}\n");
            blocks += &match in_loop {
                true => format!("loop i = 1, 3 {{ h = (h * 31 + i) % 1009 {branch} }}\n"),
                false => branch,
            };
        }
        if let Some(target) = step.last {
            blocks += &format!("exit @{target}\n");
        }
        blocks += "}\n";
    }
    format!(
        "procedure p(n, h) {{ var n: i32 argument(0) var h: i32 argument(1) var i: i32\n{blocks}}}"
    )
}

/// Takes the labelled blocks of the body for pieces, and joins and structures them.
fn joined(text: &str) -> Module {
    let mut module = parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    for (_, procedure) in module.procedures.iter_mut() {
        let blocks = std::mem::take(&mut procedure.body);
        let piece = |id| match procedure.stmt(id).clone() {
            Stmt::Labelled { label, body } => Piece { label, body },
            other => panic!("{other:?} is no piece"),
        };
        let pieces = blocks.into_iter().map(piece).collect();
        let mut labels = 1000;
        let mut label = || {
            labels += 1;
            JumpLabel(labels)
        };
        let mut states = 0;
        let mut state = |procedure: &mut Procedure| {
            states += 1;
            let name = format!("state_{states}");
            procedure.variables.add(Variable::scalar(name, Type::INT))
        };
        procedure.body = join(procedure, pieces, &mut label, &mut state);
        structure(procedure);
    }
    if let Err(violations) = verify(&module) {
        panic!("{violations:?}\n{}", print(&module));
    }
    module
}

fn step(pieces: usize) -> impl Strategy<Value = Step> {
    let branch = (0..pieces, 2i64..5, 0i64..4, any::<bool>());
    let branch = branch.prop_map(|(t, d, r, in_loop)| (t, d, r % d, in_loop));
    let last = prop::option::weighted(0.3, 0..pieces);
    (prop::collection::vec(branch, 0..3), last).prop_map(|(branches, last)| Step { branches, last })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_graph_computes_the_same(
        steps in (1usize..12).prop_flat_map(|n| prop::collection::vec(step(n), n)),
        hash in 0i64..1000,
    ) {
        let text = text(&steps);
        let module = joined(&text);
        let entry = module.procedures.ids().next().unwrap();
        for fuel in [3, 40, 200] {
            let mut arguments = [Value::Int(fuel), Value::Int(hash)];
            let result = Machine::new(&module).run(entry, &mut arguments);
            prop_assert!(result.is_ok(), "{result:?}\n{text}\n{}", print(&module));
            let (fuel, hash) = simulated(&steps, fuel, hash);
            prop_assert!(
                arguments == [Value::Int(fuel), Value::Int(hash)],
                "{arguments:?} {fuel} {hash}\n{text}\n{}", print(&module)
            );
        }
    }
}

fn check(blocks: &str, expected: Expect) {
    let head = "procedure p(n, x) {\n  var n: i32 argument(0)\n  var x: f64 argument(1)\n";
    let text = print(&joined(&format!("{head}{blocks}}}\n")));
    let body: String = text
        .lines()
        .filter(|line| !line.starts_with("procedure") && !line.starts_with("  var"))
        .filter(|line| *line != "}")
        .map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line)))
        .collect();
    expected.assert_eq(&body);
}

#[test]
fn a_loop_that_begins_in_its_middle_is_a_loop() {
    check(
        "block @1 { x = 1.0 exit @3 } block @2 { x = x * 2.0 } block @3 { n = n - 1 \
         if n > 0 { exit @2 } } block @4 { x = x + 1.0 }",
        expect![[r#"
            x = 1.0
            leave_1 = false
            while not leave_1 {
              n = n - 1
              if n <= 0 {
                leave_1 = true
              }
              if not leave_1 {
                x = x * 2.0
              }
            }
            x = x + 1.0
        "#]],
    );
}

#[test]
fn what_a_loop_leaves_to_stands_behind_it() {
    check(
        "block @1 { n = n - 1 if n < 0 { exit @3 } } block @2 { x = x / 2.0 if x < 1.0 { exit @4 } \
         exit @1 } block @3 { x = 3.0 return } block @4 { x = 4.0 }",
        expect![[r#"
            leave_3 = false
            leave_1 = false
            leave_2 = false
            while not leave_1 and not leave_2 {
              n = n - 1
              if n < 0 {
                leave_1 = true
              } else {
                x = x / 2.0
                if x < 1.0 {
                  leave_2 = true
                }
              }
            }
            if not leave_1 {
              x = 4.0
              leave_3 = true
            }
            if not leave_3 {
              x = 3.0
            }
        "#]],
    );
}

#[test]
fn a_cycle_with_two_entries_asks_where_to_begin() {
    check(
        "block @1 { if n > 5 { exit @3 } } block @2 { x = x * 2.0 n = n - 1 } block @3 \
         { x = x + 1.0 if n > 0 { exit @2 } }",
        expect![[r#"
            leave_3 = false
            if n > 5 {
              state_1 = 2
            } else {
              state_1 = 1
            }
            while not leave_3 {
              leave_2 = false
              leave_1 = false
              switch state_1 {
                case 1 {
                }
                default {
                  leave_1 = true
                }
              }
              if not leave_1 {
                x = x * 2.0
                n = n - 1
                state_1 = 2
                leave_2 = true
              }
              if not leave_2 {
                x = x + 1.0
                if n > 0 {
                  state_1 = 1
                } else {
                  leave_3 = true
                }
              }
            }
        "#]],
    );
}
