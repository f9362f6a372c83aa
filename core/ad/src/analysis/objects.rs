//! Objects whose type is known at run time only, as far as their memory goes.
//!
//! A procedure knows the components of the declared type of a polymorphic variable, and those of its
//! views. What a callee does to other components it can neither save nor restore.

use std::collections::BTreeSet;

use contraflow_ir::{Argument, Callee, Intent, Module, Procedure, ProcedureId, Stmt, Type, VarId};

/// Whether a callee of `procedure` may change components of the polymorphic variable `var` that its
/// declared type does not have.
pub fn changes_unseen(module: &Module, procedure: &Procedure, var: VarId) -> bool {
    let Some(variable) = procedure.variables.get(var) else {
        return false;
    };
    let is_extended = matches!(variable.ty, Type::Record(record) if module.is_extended(record));
    variable.polymorphic
        && is_extended
        && passed(procedure, var)
            .into_iter()
            .any(|(callee, position)| changes_views(module, callee, position, &mut BTreeSet::new()))
}

/// Who gets a whole variable, as which argument; `None` for code without source.
fn passed(procedure: &Procedure, var: VarId) -> Vec<(Option<ProcedureId>, usize)> {
    let mut all = Vec::new();
    for stmt in procedure.all_statements() {
        let Stmt::Call {
            callee, arguments, ..
        } = procedure.stmt(stmt)
        else {
            continue;
        };
        for (position, argument) in arguments.iter().enumerate() {
            if matches!(argument, Argument::Place(place) if place.var == var && place.path.is_empty())
            {
                let callee = match callee {
                    Callee::Procedure(id) => Some(*id),
                    Callee::External(_) | Callee::Variable(_) => None,
                };
                all.push((callee, position));
            }
        }
    }
    all
}

/// Whether a procedure may change an argument through a view of it.
fn changes_views(
    module: &Module,
    callee: Option<ProcedureId>,
    position: usize,
    seen: &mut BTreeSet<(ProcedureId, usize)>,
) -> bool {
    let Some(id) = callee else {
        return true;
    };
    if !seen.insert((id, position)) {
        return false;
    }
    let procedure = &module.procedures[id];
    let Some(&formal) = procedure.arguments.get(position) else {
        return true;
    };
    if procedure.variables[formal].intent == Intent::In {
        return false;
    }
    if !procedure.has_body {
        return true;
    }
    let views: Vec<VarId> = procedure
        .variables
        .ids()
        .filter(|&view| procedure.viewed(view) == Some(formal))
        .collect();
    let is_written = |view: VarId| {
        procedure
            .all_statements()
            .into_iter()
            .any(|stmt| match procedure.stmt(stmt) {
                Stmt::Assign { target, .. }
                | Stmt::Fill { target, .. }
                | Stmt::Copy { target, .. }
                | Stmt::Allocate { target, .. }
                | Stmt::Free { target } => target.var == view,
                Stmt::Opaque { writes, .. } => writes.iter().any(|place| place.var == view),
                _ => false,
            })
    };
    let is_passed_on = |view: VarId| {
        passed(procedure, view)
            .into_iter()
            .any(|(next, position)| may_write(module, next, position))
    };
    views
        .into_iter()
        .any(|view| is_written(view) || is_passed_on(view))
        || passed(procedure, formal)
            .into_iter()
            .any(|(next, position)| changes_views(module, next, position, seen))
}

/// Whether a procedure may write an argument, as far as its declaration tells.
fn may_write(module: &Module, callee: Option<ProcedureId>, position: usize) -> bool {
    let formal = callee.and_then(|id| {
        let procedure = &module.procedures[id];
        let formal = procedure.arguments.get(position)?;
        Some(procedure.variables[*formal].intent)
    });
    formal != Some(Intent::In)
}
