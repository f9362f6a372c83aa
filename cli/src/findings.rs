//! Which findings of the front ends concern a request. A large program may hold much that is kept as
//! it stands; what lies in procedures that the head never calls is only counted.

use crate::console::Console;
use crate::program::Program;
use crate::render::render;
use contraflow_ir::{Callee, Diagnostic, ProcedureId, Severity, Sources, Span, Stmt};
use std::collections::BTreeSet;

/// Shows findings, each once however often it was found.
pub fn show<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    sources: &Sources,
    console: &mut Console,
) {
    let mut said = BTreeSet::new();
    for diagnostic in diagnostics {
        let text = render(diagnostic, sources, console.colour);
        if said.insert(text.clone()) {
            console.complain(&text);
        }
    }
}

/// Shows what the front ends found, without warnings about text that is kept as it stands in
/// procedures that `head` does not reach.
pub fn show_relevant(program: &Program, head: ProcedureId, console: &mut Console) {
    let reached = reached(program, head);
    let elsewhere: Vec<Span> = program
        .module
        .procedures
        .iter()
        .filter(|(id, procedure)| !reached.contains(id) && procedure.home.span.is_some())
        .map(|(_, procedure)| procedure.home.span)
        .collect();
    let (hidden, shown): (Vec<&Diagnostic>, Vec<&Diagnostic>) = program
        .diagnostics
        .iter()
        .partition(|diagnostic| is_elsewhere(diagnostic, &elsewhere));
    show(shown, &program.sources, console);
    if !hidden.is_empty() {
        let places = if hidden.len() == 1 { "place" } else { "places" };
        console.complain(&format!(
            "note: {} {places} in procedures that the head does not call could not be taken apart",
            hidden.len()
        ));
    }
}

fn is_elsewhere(diagnostic: &Diagnostic, elsewhere: &[Span]) -> bool {
    diagnostic.code == "opaque"
        && diagnostic.severity < Severity::Error
        && diagnostic
            .labels
            .first()
            .is_some_and(|label| elsewhere.iter().any(|outer| contains(*outer, label.span)))
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// The head and everything that it may call, procedures passed as arguments among them.
fn reached(program: &Program, head: ProcedureId) -> BTreeSet<ProcedureId> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![head];
    while let Some(id) = pending.pop() {
        if !reached.insert(id) {
            continue;
        }
        let procedure = &program.module.procedures[id];
        for statement in procedure.all_statements() {
            if let Stmt::Call {
                callee: Callee::Procedure(callee),
                ..
            } = procedure.stmt(statement)
            {
                pending.push(*callee);
            }
        }
        pending.extend(procedure.handed_on());
    }
    reached
}
