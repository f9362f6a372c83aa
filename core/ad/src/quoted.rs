//! Quoted text may call procedures of the program, and these may touch memory that the text does not
//! name: COMMON blocks, module variables, saved variables. Where what is differentiated touches the
//! same memory, the effects of the text are not known and it is refused.

use contraflow_ir::{Argument, Diagnostic, Expr, Module, ProcedureId, Span, Stmt};

use crate::analysis::{CallGraph, Effects, Shared};

/// Refuses quoted calls that reach memory of the head's calls without naming it.
pub fn refusals(module: &Module, effects: &Effects, head: ProcedureId) -> Vec<Diagnostic> {
    let graph = CallGraph::of(module, effects);
    let known: Vec<Shared> = effects
        .callee_globals(head)
        .map(|(shared, _)| shared)
        .collect();
    if known.is_empty() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for id in graph.reachable(head) {
        for (span, text) in texts(module, id) {
            let called = words(&text).flat_map(|word| module.procedures_named(word));
            for callee in called.filter(|&callee| module.procedures[callee].has_body) {
                let touched = effects.callee_globals(callee).find(|&(shared, touch)| {
                    known.iter().any(|other| other.overlaps(shared))
                        && (touch.write || is_changed(effects, head, shared))
                });
                if let Some((shared, _)) = touched {
                    problems.push(refusal(module, span, callee, shared));
                    break;
                }
            }
        }
    }
    problems
}

/// Whether the head's calls write some shared memory.
fn is_changed(effects: &Effects, head: ProcedureId, shared: Shared) -> bool {
    effects
        .callee_globals(head)
        .any(|(other, touch)| touch.write && other.overlaps(shared))
}

/// The quoted texts of a procedure, with their places.
fn texts(module: &Module, id: ProcedureId) -> Vec<(Span, String)> {
    let procedure = &module.procedures[id];
    let mut found = Vec::new();
    for stmt in procedure.all_statements() {
        let span = procedure.stmts[stmt].span;
        for root in procedure.stmt(stmt).expressions() {
            procedure.walk_expr(root, &mut |e| {
                if let Expr::Opaque { text, .. } = procedure.expr(e) {
                    found.push((span, text.clone()));
                }
            });
        }
        match procedure.stmt(stmt) {
            Stmt::Opaque { text, .. } => found.push((span, text.clone())),
            Stmt::Call { arguments, .. } => {
                found.extend(arguments.iter().filter_map(|argument| match argument {
                    Argument::Opaque { text, .. } => Some((span, text.clone())),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    found
}

/// The names in a text, those in strings among them: one too many does no harm.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

fn refusal(module: &Module, span: Span, callee: ProcedureId, shared: Shared) -> Diagnostic {
    let callee = &module.procedures[callee].name;
    let what = match shared {
        Shared::Global(global) => format!("`{}`", module.globals[global].name),
        Shared::Common { block, .. } => {
            format!("the COMMON block /{}/", module.commons[block].name)
        }
        Shared::Saved(procedure, var) => {
            format!("`{}`", module.procedures[procedure].variables[var].name)
        }
    };
    Diagnostic::error(
        "quoted-call",
        format!("a statement that is kept as it stands calls `{callee}`, which uses {what}"),
    )
    .at(span, "not understood well enough to be differentiated")
    .with_help(format!(
        "call `{callee}` with arguments of the types and number that it declares, or move the call out of the differentiated part"
    ))
}
