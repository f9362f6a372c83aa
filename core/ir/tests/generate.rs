//! Generated programs are right, run to their end, and contain what they should.

use std::collections::BTreeMap;

use contraflow_ir::generate::{Options, choices_of, program};
use contraflow_ir::interp::run;
use contraflow_ir::print::print;
use contraflow_ir::verify::verify;

#[test]
fn programs_contain_every_construct() {
    let options = Options {
        jumps: true,
        statements: 25,
        ..Options::default()
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..300 {
        let text = print(&program(&choices_of(seed, 700), options).module);
        for construct in [
            "loop i",
            ", -1 ",
            ", d",
            "while",
            "if",
            "else",
            "switch",
            "case",
            "call helper",
            "= call helper",
            "exit",
            "cycle",
            "return",
            "block",
            "p[",
            "select",
            "abs",
            "&&",
        ] {
            *counts.entry(construct).or_default() += usize::from(text.contains(construct));
        }
    }
    let rare: Vec<_> = counts.iter().filter(|(_, count)| **count < 15).collect();
    assert!(rare.is_empty(), "{rare:?}");
}

#[test]
fn structured_programs_verify_and_run() {
    for seed in 0..300 {
        let program = program(&choices_of(seed, 500), Options::default());
        assert!(verify(&program.module).is_ok());
        for n in [4, 6] {
            let mut arguments = program.arguments(n, seed);
            let result = run(&program.module, program.entry, &mut arguments);
            assert_eq!(result, Ok(None), "{}", print(&program.module));
            for value in &arguments {
                let bounded = |x: &f64| x.abs() < 1e4;
                assert!(value.as_reals().is_none_or(|v| v.iter().all(bounded)));
            }
        }
    }
}

#[test]
fn no_choices_give_the_smallest_program() {
    let program = program(&[], Options::default());
    assert_eq!(program.module.procedures.len(), 1);
    assert_eq!(program.module.procedures[program.entry].stmts.len(), 1);
}
