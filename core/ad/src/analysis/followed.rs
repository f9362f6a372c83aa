//! Which variables that hold pointers a procedure uses for these: not for numbers beside them only.

use std::collections::BTreeSet;

use contraflow_ir::{Access, Argument, Expr, Module, Procedure, Stmt, VarId, place_of};

use super::memory::{leads_away, leads_on};

/// The variables of which a procedure follows pointers, copies them, or passes the whole.
pub(super) fn followed(module: &Module, procedure: &Procedure) -> BTreeSet<VarId> {
    let follows = |access: &&Access| {
        leads_away(module, procedure, access)
            || place_of(module, procedure, access)
                .map_or(true, |place| leads_on(module, place.ty, 0))
    };
    let named = accesses(procedure).into_iter().filter(follows);
    named.map(|access| access.var).collect()
}

/// All places that a procedure names.
fn accesses(procedure: &Procedure) -> Vec<&Access> {
    let mut found = Vec::new();
    for (_, node) in procedure.exprs.iter() {
        match &node.expr {
            Expr::Load(access)
            | Expr::Bound { array: access, .. }
            | Expr::Present(access)
            | Expr::Required { access, .. } => found.push(access),
            Expr::Associated { pointer, target } => found.extend([pointer, target]),
            Expr::Opaque { reads, .. } => found.extend(reads),
            Expr::Integer(_)
            | Expr::Real(_)
            | Expr::Logical(_)
            | Expr::Text(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Intrinsic(..)
            | Expr::Convert(_)
            | Expr::Select { .. }
            | Expr::Range { .. } => {}
        }
    }
    for (_, node) in procedure.stmts.iter() {
        match &node.stmt {
            Stmt::Assign { target, .. }
            | Stmt::Fill { target, .. }
            | Stmt::Allocate { target, .. }
            | Stmt::Free { target }
            | Stmt::Pop { target, .. } => found.push(target),
            Stmt::Copy { target, source } => found.extend([target, source]),
            Stmt::PointerAssign { target, value, .. } => {
                found.push(target);
                found.extend(value);
            }
            Stmt::Opaque { reads, writes, .. } => found.extend(reads.iter().chain(writes)),
            Stmt::Call {
                arguments, result, ..
            } => {
                found.extend(result);
                for argument in arguments {
                    match argument {
                        Argument::Place(place) => found.push(place),
                        Argument::Opaque { reads, .. } => found.extend(reads),
                        Argument::Value(_) | Argument::Procedure(_) | Argument::Absent => {}
                    }
                }
            }
            Stmt::Push { .. }
            | Stmt::Loop { .. }
            | Stmt::While { .. }
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::Region { .. }
            | Stmt::Labelled { .. }
            | Stmt::Jump(_)
            | Stmt::Stop { .. }
            | Stmt::Comment(_) => {}
        }
    }
    found
}
