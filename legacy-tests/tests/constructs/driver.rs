//! A program that calls every procedure of a theme with values of its own, and prints what they
//! leave in their arguments.

use contraflow_ir::{Extent, Module, Procedure, ProcedureKind, Stmt, Type, VarId, Variable};
use std::fmt::Write;

/// What is passed for procedure arguments.
const PASSED: [(&str, &str); 2] = [
    ("call_vs_index", "external_real_function"),
    ("external_intrinsic", "call_noparen_if_t"),
];

/// Whether a procedure is written again and run: not one that ends the program, nor one whose
/// arguments are not those of its text, nor one with a jump or a
/// pointer that is refused.
pub fn is_driven(procedure: &Procedure) -> bool {
    let ends = |id| {
        matches!(
            procedure.stmt(id),
            Stmt::Opaque {
                terminates: true,
                ..
            } | Stmt::Opaque {
                kind: "goto" | "address pointer",
                ..
            }
        )
    };
    procedure.has_body
        && procedure.home.span.is_some()
        && !procedure.is_altered()
        && !procedure.all_statements().into_iter().any(ends)
}

/// The program.
pub fn text(module: &Module, again: &str) -> String {
    let driven = module
        .procedures
        .iter()
        .map(|(_, procedure)| procedure)
        .filter(|procedure| is_driven(procedure) && !procedure.name.ends_with(again));
    let mut calls = String::new();
    let mut procedures = String::new();
    for (index, procedure) in driven.enumerate() {
        let _ = writeln!(calls, "    call try_{index}(round)");
        procedures.push_str(&one(index, procedure));
    }
    format!(
        "program drive\n  implicit none\n  integer :: round\n  do round = 1, 4\n    rewind 10\n{calls}  end do\n\
         contains\n{procedures}end program\n"
    )
}

fn one(index: usize, procedure: &Procedure) -> String {
    let name = &procedure.name;
    let mut declared = String::new();
    let mut set = String::new();
    let mut passed = Vec::new();
    let mut printed = vec![format!("'{name}'")];
    for (position, &argument) in procedure.arguments.iter().enumerate() {
        let variable = &procedure.variables[argument];
        let own = format!("x{position}");
        let Some((ty, value)) = sample(variable) else {
            let known = PASSED.iter().find(|(of, _)| of == name);
            let other = known.map_or("external_real_function", |(_, passed)| passed);
            let _ = writeln!(declared, "    external {other}");
            passed.push(other.to_owned());
            continue;
        };
        let _ = writeln!(declared, "    {ty} :: {own}(100)");
        let _ = writeln!(
            set,
            "    do k = 1, 100\n      {own}(k) = {value}\n    end do"
        );
        passed.push(match variable.shape.is_empty() {
            true => format!("{own}(1)"),
            false => own.clone(),
        });
        printed.push(match variable.shape.is_empty() {
            true => format!("{own}(1)"),
            false => format!("{own}(:20)"),
        });
    }
    let passed = passed.join(", ");
    let call = match procedure.kind {
        ProcedureKind::Subroutine => format!("    call {name}({passed})\n"),
        ProcedureKind::Function { result } => {
            let ty = declared_type(procedure, result);
            let _ = writeln!(declared, "    {ty}, external :: {name}\n    {ty} :: y");
            printed.push("y".to_owned());
            format!("    y = {name}({passed})\n")
        }
    };
    format!(
        "  subroutine try_{index}(round)\n    integer :: round, k\n{declared}{set}{call}    print *, \
         {}\n  end subroutine\n",
        printed.join(", ")
    )
}

fn declared_type(procedure: &Procedure, result: VarId) -> String {
    let variable = &procedure.variables[result];
    sample(variable).map_or_else(|| "real".to_owned(), |(ty, _)| ty)
}

/// A type and a value for the `k`-th element in a round.
fn sample(variable: &Variable) -> Option<(String, &'static str)> {
    debug_assert!(
        variable
            .shape
            .iter()
            .all(|dim| matches!(dim.extent, Extent::Count(_) | Extent::AssumedSize)),
        "{} wants a written interface",
        variable.name
    );
    Some(match variable.ty {
        Type::Real { bytes } => (
            format!("real({bytes})"),
            "round - 2.5 + 0.75 * mod(7 * k, 5)",
        ),
        Type::Integer { bytes, .. } => (format!("integer({bytes})"), "round + mod(k - 1, 3)"),
        Type::Logical { bytes } => (format!("logical({bytes})"), "mod(round + k, 2) == 0"),
        Type::Complex { bytes } => (format!("complex({bytes})"), "cmplx(round, k)"),
        Type::Character => (
            "character(80)".to_owned(),
            "repeat(achar(96 + round) // achar(100 + k / 4), 40)",
        ),
        Type::Address => ("integer(8)".to_owned(), "0"),
        _ => return None,
    })
}

/// A text with every occurrence of a name replaced.
pub fn renamed(text: &str, name: &str, other: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + name.len()..].chars().next();
        let is_quoted = before == Some('\'');
        let is_whole = !before.is_some_and(is_word) && !after.is_some_and(is_word);
        shown.push_str(&rest[..at]);
        shown.push_str(if is_whole && !is_quoted { other } else { name });
        rest = &rest[at + name.len()..];
    }
    shown + rest
}
