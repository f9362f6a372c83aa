//! What cannot be reversed yet, said with its place before anything is built.

use contraflow_ir::{Access, Diagnostic, Procedure, Span, Stmt, StmtId, Storage};

use super::Order;
use crate::analysis::Tree;

/// Constructs that have no reversal yet, where they matter.
pub fn refusals(order: &Order<'_>, primal: &Procedure) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let refuse = |span: Span, what: &str, help: &str| {
        Diagnostic::error(
            "not-reversible",
            format!("cannot reverse {what} in `{}`", primal.name),
        )
        .at(span, "here")
        .with_help(help.to_owned())
    };
    let is_active = |access: &Access| order.specialisation.active.contains(&access.var);
    let tree = Tree::of(primal);
    for stmt in primal.all_statements() {
        let span = primal.stmts[stmt].span;
        let in_loop = !tree.loops(primal, stmt).is_empty();
        match primal.stmt(stmt) {
            Stmt::PointerAssign { target, value, .. }
                if is_active(target) || value.as_ref().is_some_and(is_active) =>
            {
                problems.push(refuse(
                    span,
                    "a pointer assignment to an active target",
                    "use the array that the pointer points to, or pass it as an argument",
                ));
            }
            Stmt::Allocate { .. } | Stmt::Free { .. } if in_loop => problems.push(refuse(
                span,
                "an allocation inside a loop",
                "allocate the array before the loop",
            )),
            Stmt::Allocate { target, .. } | Stmt::Free { target }
                if changes_size(primal, &tree, stmt, target) =>
            {
                problems.push(refuse(
                    span,
                    &format!(
                        "memory of `{}` that is allocated more than once or under a condition, or that outlives the call,",
                        primal.variables[target.var].name
                    ),
                    "allocate it once, or declare it with its size",
                ));
            }
            Stmt::Copy { target, .. } if is_active(target) => problems.push(refuse(
                span,
                "a copy of active memory",
                "write the copy as a loop over elements",
            )),
            Stmt::Fill { target, value } if is_active(target) => {
                let reads_active = primal
                    .reads_of_expr(*value)
                    .iter()
                    .any(|read| is_active(read));
                if reads_active {
                    problems.push(refuse(
                        span,
                        "a fill with an active value",
                        "write the fill as a loop over elements",
                    ));
                }
            }
            Stmt::Opaque {
                reads,
                writes,
                kind,
                ..
            } => {
                if let Some(access) = writes.iter().find(|access| is_active(access)) {
                    let name = &primal.variables[access.var].name;
                    problems.push(
                        Diagnostic::error(
                            "opaque-active",
                            format!("this {kind} statement may change `{name}`, which is active"),
                        )
                        .at(span, "not understood well enough to be differentiated")
                        .with_help(format!(
                            "move the statement out of the differentiated part, or keep `{name}` out of it"
                        )),
                    );
                }
                let _ = reads;
            }
            _ => {}
        }
    }
    for (var, variable) in primal.variables.iter() {
        let written = matches!(variable.storage, contraflow_ir::Storage::Saved)
            && primal.all_statements().iter().any(|&stmt| {
                order
                    .effects
                    .stmt(order.module, order.id, stmt)
                    .writes
                    .iter()
                    .any(|write| write.var == var)
            });
        if written {
            problems.push(refuse(
                variable.span,
                &format!(
                    "the saved variable `{}`, whose value outlives the call,",
                    variable.name
                ),
                "make it an argument or a module variable",
            ));
        }
    }
    problems
}

/// Whether the size of what is allocated or freed may differ between points of the procedure, or is
/// somebody else's: shadows and saved values follow one allocation of a local only.
fn changes_size(primal: &Procedure, tree: &Tree, stmt: StmtId, target: &Access) -> bool {
    let is_local = matches!(primal.variables[target.var].storage, Storage::Local);
    let allocations = primal
        .all_statements()
        .into_iter()
        .filter(|&other| {
            matches!(primal.stmt(other),
                Stmt::Allocate { target: place, .. } if place.var == target.var)
        })
        .count();
    let is_conditional = tree
        .owners(stmt)
        .into_iter()
        .any(|owner| !matches!(primal.stmt(owner), Stmt::Region { .. }));
    !is_local || allocations > 1 || is_conditional
}
