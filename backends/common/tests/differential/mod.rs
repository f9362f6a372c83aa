//! Random programs in a target language against the interpreter: the same results on the same
//! arguments. The back ends' tests share this.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use contraflow_ir::generate::{self, Options, Program};
use contraflow_ir::interp::{self, Value};
use contraflow_ir::{ProcedureId, structure};

const SIZE: usize = 5;

/// Which conventions the procedures follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Those of C.
    C,
    /// Those of Fortran.
    Fortran,
}

/// Programs whose procedures have names of their own. Half of them had jumps.
pub fn programs(count: u64, home: Home) -> Vec<Program> {
    (0..count)
        .map(|seed| {
            let options = Options {
                jumps: seed % 2 == 1,
                ..Options::default()
            };
            let mut program = generate::program(&generate::choices_of(seed, 400), options);
            let ids: Vec<ProcedureId> = program.module.procedures.ids().collect();
            for id in ids {
                let procedure = &mut program.module.procedures[id];
                procedure.name = format!("p{seed}_{}", procedure.name);
                procedure.scalars_by_value = home == Home::C;
                structure::structure(procedure);
            }
            program
        })
        .collect()
}

/// The numbers that the interpreter leaves in the arguments, program by program.
pub fn expected(programs: &[Program]) -> Vec<Vec<f64>> {
    programs
        .iter()
        .enumerate()
        .map(|(seed, program)| {
            let mut arguments = program.arguments(SIZE, seed as u64);
            interp::run(&program.module, program.entry, &mut arguments)
                .expect("generated programs run to their end");
            arguments
                .iter()
                .filter_map(Value::as_reals)
                .flatten()
                .copied()
                .collect()
        })
        .collect()
}

/// A driver in C that calls all entries with the interpreter's arguments and prints the reals.
pub fn driver(programs: &[Program], name_of: impl Fn(&str) -> String) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    let mut calls = String::new();
    for (seed, program) in programs.iter().enumerate() {
        let name = name_of(&program.module.procedures[program.entry].name);
        let _ = writeln!(
            text,
            "void {name}(int *, double *, double *, double *, double *, double *, double *, int *);"
        );
        let mut actuals = Vec::new();
        let mut shown = Vec::new();
        calls.push_str("    {\n");
        for (index, value) in program.arguments(SIZE, seed as u64).iter().enumerate() {
            let (ty, list): (&str, Vec<String>) = match value {
                Value::Int(v) => ("int", vec![v.to_string()]),
                Value::Real(v) => ("double", vec![format!("{v:e}")]),
                Value::RealArray { data, .. } => {
                    ("double", data.iter().map(|v| format!("{v:e}")).collect())
                }
                Value::IntArray { data, .. } => {
                    ("int", data.iter().map(|v| v.to_string()).collect())
                }
                _ => ("int", vec!["0".to_owned()]),
            };
            let _ = writeln!(calls, "        {ty} v{index}[] = {{{}}};", list.join(", "));
            actuals.push(format!("v{index}"));
            if ty == "double" {
                shown.push((index, list.len()));
            }
        }
        let _ = writeln!(calls, "        {name}({});", actuals.join(", "));
        for (index, length) in shown {
            let _ = writeln!(
                calls,
                "        for (int i = 0; i < {length}; i++) printf(\"%.17g \", v{index}[i]);"
            );
        }
        calls.push_str("        puts(\"\");\n    }\n");
    }
    format!("{text}int main(void) {{\n{calls}    return 0;\n}}\n")
}

/// Runs a command that must succeed and gives back its standard output.
pub fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(
        output.status.success(),
        "{program} {arguments:?}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The numbers that a driver printed are those of the interpreter, but for rounding that a
/// compiler may do otherwise.
pub fn assert_same(printed: &str, expected: &[Vec<f64>]) {
    assert_eq!(printed.lines().count(), expected.len());
    for (seed, (line, expected)) in printed.lines().zip(expected).enumerate() {
        let numbers: Vec<f64> = line
            .split_whitespace()
            .map(|word| word.parse().expect("a number"))
            .collect();
        assert_eq!(numbers.len(), expected.len(), "program {seed}");
        for (found, wanted) in numbers.iter().zip(expected) {
            let scale = wanted.abs().max(1.0);
            assert!(
                (found - wanted).abs() <= 1e-12 * scale,
                "program {seed}: {found} instead of {wanted}"
            );
        }
    }
}
