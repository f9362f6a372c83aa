//! Calls that get a struct as a value and write to what its pointers lead to. The derivative of such a call
//! would have to carry the shadow of that memory back, for which neither side has a name. Most of them are
//! gone by then, see [`crate::inline`]; what is left is refused where it is active.

use contraflow_ir::{Argument, Callee, Diagnostic, Module, Stmt, Type};

use super::memory::leads_on;
use super::{Activity, Effects};

/// What is refused.
pub fn refusals(module: &Module, effects: &Effects, activity: &Activity) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for id in activity.bottom_up() {
        let found = &activity[id];
        let procedure = &module.procedures[found.procedure];
        for stmt in procedure.all_statements() {
            let Stmt::Call {
                callee: Callee::Procedure(callee),
                arguments,
                ..
            } = procedure.stmt(stmt)
            else {
                continue;
            };
            for (position, argument) in arguments.iter().enumerate() {
                let Argument::Value(value) = argument else {
                    continue;
                };
                let ty = procedure.exprs[*value].ty;
                let is_changed = matches!(ty, Type::Record(_))
                    && leads_on(module, ty, 0)
                    && effects.argument(*callee, position).write;
                let mut reads = procedure.reads_of_expr(*value).into_iter();
                if is_changed && reads.any(|read| found.is_active(read.var)) {
                    let name = &module.procedures[*callee].name;
                    let message = format!(
                        "`{name}` writes to what a struct points to that it gets as a value, and with it go derivatives"
                    );
                    problems.push(
                        Diagnostic::error("no-rule", message)
                            .at(procedure.stmts[stmt].span, "called here")
                            .with_help("pass the address of the struct"),
                    );
                }
            }
        }
    }
    problems
}
