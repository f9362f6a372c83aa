//! Quoted text may call procedures of the program, and these may touch memory that the text does not
//! name: COMMON blocks, module variables, saved variables. Where what is differentiated touches the
//! same memory, the effects of the text are not known and it is refused.

use contraflow_ir::{Argument, Diagnostic, Expr, Module, ProcedureId, Span, Stmt};

use crate::analysis::{CallGraph, Effects, Shared};

/// Refuses quoted calls that reach memory of the head's calls without naming it.
pub fn refusals(module: &Module, effects: &Effects, head: ProcedureId) -> Vec<Diagnostic> {
    let graph = CallGraph::of(module, effects);
    let jumps = long_jumps(module, &graph, head);
    if !jumps.is_empty() {
        return jumps;
    }
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
            let names = called(&text);
            let callees = names.iter().flat_map(|name| module.procedures_named(name));
            for callee in callees.filter(|&callee| module.procedures[callee].has_body) {
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

/// Refuses jumps out of procedures into their callers: what runs after them cannot be followed.
fn long_jumps(module: &Module, graph: &CallGraph, head: ProcedureId) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for id in graph.reachable(head) {
        let procedure = &module.procedures[id];
        for stmt in procedure.all_statements() {
            if let Stmt::Opaque {
                kind: "long-jump", ..
            } = procedure.stmt(stmt)
            {
                let message = format!("`{}` jumps to another function", procedure.name);
                problems.push(
                    Diagnostic::error("long-jump", message)
                        .at(procedure.stmts[stmt].span, "setjmp or longjmp")
                        .with_help("hand a status back to the caller instead, or keep the jump out of the differentiated part"),
                );
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

/// The names in a text that may be called: outside of strings, before a parenthesis or after CALL.
fn called(text: &str) -> Vec<String> {
    let plain = without_strings(text);
    let bytes = plain.as_bytes();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found: Vec<String> = Vec::new();
    let mut after_call = false;
    let mut at = 0;
    while at < bytes.len() {
        if !is_name(bytes[at]) {
            at += 1;
            continue;
        }
        let end = (at..bytes.len())
            .find(|&it| !is_name(bytes[it]))
            .unwrap_or(bytes.len());
        let word = &plain[at..end];
        let next = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
        if next == Some(&b'(') || after_call {
            found.push(word.to_owned());
        }
        after_call = word.eq_ignore_ascii_case("call");
        at = end;
    }
    found
}

/// The text with blanks in place of its strings.
fn without_strings(text: &str) -> String {
    let mut delimiter = None;
    text.chars()
        .map(|c| match delimiter {
            Some(end) => {
                if c == end {
                    delimiter = None;
                }
                ' '
            }
            None if c == '\'' || c == '"' => {
                delimiter = Some(c);
                ' '
            }
            None if c.is_ascii() => c,
            None => ' ',
        })
        .collect()
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

#[cfg(test)]
mod tests {
    use super::called;

    #[test]
    fn names_in_strings_are_not_called() {
        let text = "write (*,*) 'no call sub(x)', f (x), y";
        assert_eq!(called(text), ["write", "f"]);
        assert_eq!(called("if (a) call sub"), ["if", "sub"]);
    }
}
