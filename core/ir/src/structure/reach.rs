//! What can be said of jumps without changing anything.

use std::collections::BTreeMap;

use super::{Target, Targets};
use crate::expr::{BinaryOp, Expr, ExprId, Selector};
use crate::module::Procedure;
use crate::stmt::{Argument, Jump, JumpLabel, Stmt, StmtId};
use crate::types::{Aliasing, Storage, VarId};

/// The label of a loop or a labelled block.
pub(super) fn label_of(stmt: &Stmt) -> Option<JumpLabel> {
    match stmt {
        Stmt::Loop { label, .. } | Stmt::While { label, .. } => *label,
        Stmt::Labelled { label, .. } => Some(*label),
        _ => None,
    }
}

/// Where a jump leads; `None` for a `cycle`.
pub(super) fn target_of(jump: Jump) -> Option<Target> {
    match jump {
        Jump::Return => Some(Target::Return),
        Jump::Exit(label) => Some(Target::Exit(label.0)),
        Jump::Cycle(_) => None,
    }
}

/// Whether a jump or a labelled block is in the statement.
pub(super) fn is_unstructured(procedure: &Procedure, id: StmtId) -> bool {
    any(procedure, &[id], |stmt| {
        matches!(stmt, Stmt::Jump(_) | Stmt::Labelled { .. })
    })
}

/// The same of all statements of a block and below.
pub(super) fn unstructured(procedure: &Procedure, block: &[StmtId]) -> BTreeMap<StmtId, bool> {
    let mut all = BTreeMap::new();
    note_unstructured(procedure, block, &mut all);
    all
}

fn note_unstructured(
    procedure: &Procedure,
    block: &[StmtId],
    all: &mut BTreeMap<StmtId, bool>,
) -> bool {
    let mut any = false;
    for &id in block {
        let stmt = procedure.stmt(id);
        let mut is_it = matches!(stmt, Stmt::Jump(_) | Stmt::Labelled { .. });
        for inner in stmt.blocks() {
            is_it |= note_unstructured(procedure, inner, all);
        }
        all.insert(id, is_it);
        any |= is_it;
    }
    any
}

/// Whether some statement of the block or below satisfies `test`.
pub(super) fn any(procedure: &Procedure, block: &[StmtId], test: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    procedure.walk_block(block, &mut |id| found |= test(procedure.stmt(id)));
    found
}

/// The targets outside the block that jumps in it lead to. `cycle`s of loops in it do not leave it.
pub(super) fn leaves(procedure: &Procedure, block: &[StmtId]) -> Targets {
    let (mut targets, mut inside) = (Targets::new(), Targets::new());
    procedure.walk_block(block, &mut |id| {
        let stmt = procedure.stmt(id);
        inside.extend(label_of(stmt).map(|label| Target::Exit(label.0)));
        if let Stmt::Jump(jump) = stmt {
            targets.extend(match jump {
                Jump::Cycle(label) => Some(Target::Exit(label.0)),
                other => target_of(*other),
            });
        }
    });
    &targets - &inside
}

/// Whether control never reaches the end of the block, because of a jump on every way.
pub(super) fn never_ends(procedure: &Procedure, block: &[StmtId]) -> bool {
    block.iter().any(|&id| match procedure.stmt(id) {
        Stmt::Jump(_) => true,
        Stmt::If { .. } | Stmt::Switch { .. } => procedure
            .stmt(id)
            .blocks()
            .into_iter()
            .all(|arm| never_ends(procedure, arm)),
        Stmt::Region { body, .. } => never_ends(procedure, body),
        Stmt::Labelled { label, body } => {
            never_ends(procedure, body)
                && !any(
                    procedure,
                    body,
                    |stmt| matches!(stmt, Stmt::Jump(Jump::Exit(to)) if to == label),
                )
        }
        _ => false,
    })
}

/// Whether evaluating the expression cannot go wrong, whatever the values: no memory but plain
/// scalars is read, and nothing is divided.
pub(super) fn is_total(procedure: &Procedure, e: ExprId) -> bool {
    let mut total = true;
    procedure.walk_expr(e, &mut |id| {
        total &= match procedure.expr(id) {
            Expr::Load(access) => {
                let variable = &procedure.variables[access.var];
                access
                    .path
                    .iter()
                    .all(|step| matches!(step, Selector::Field(_)))
                    && !variable.optional
                    && variable.allocation == crate::types::Allocation::Fixed
            }
            Expr::Binary(op, ..) => {
                !matches!(op, BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::Power)
            }
            Expr::Opaque { .. } | Expr::Required { .. } => false,
            _ => true,
        }
    });
    total
}

/// Whether the expression has the same value at any time while `block` runs: it is made of
/// literals and scalars that the block does not write.
pub(super) fn is_invariant(procedure: &Procedure, e: ExprId, block: &[StmtId]) -> bool {
    let mut invariant = is_total(procedure, e);
    procedure.walk_expr(e, &mut |id| {
        if let Expr::Load(access) = procedure.expr(id) {
            invariant &= !may_write(procedure, block, access.var);
        }
    });
    invariant
}

fn may_write(procedure: &Procedure, block: &[StmtId], var: VarId) -> bool {
    let variable = &procedure.variables[var];
    if variable.is_constant() {
        return false;
    }
    let is_private = variable.aliasing == Aliasing::None
        && !procedure.variables.iter().any(
            |(_, other)| matches!(other.storage, Storage::Overlay { base, .. } if base == var),
        );
    let is_seen_elsewhere = matches!(
        variable.storage,
        Storage::Global(_) | Storage::Common { .. } | Storage::Overlay { .. } | Storage::Saved
    );
    any(procedure, block, |stmt| {
        if !is_private && !matches!(stmt, Stmt::If { .. } | Stmt::Comment(_) | Stmt::Jump(_)) {
            return true;
        }
        match stmt {
            Stmt::Assign { target, .. }
            | Stmt::Allocate { target, .. }
            | Stmt::Free { target }
            | Stmt::PointerAssign { target, .. }
            | Stmt::Fill { target, .. }
            | Stmt::Copy { target, .. }
            | Stmt::Pop { target, .. } => target.var == var,
            Stmt::Loop { variable, .. } => *variable == var,
            Stmt::Call {
                arguments, result, ..
            } => {
                is_seen_elsewhere
                    || result.as_ref().is_some_and(|result| result.var == var)
                    || arguments
                        .iter()
                        .any(|a| matches!(a, Argument::Place(place) if place.var == var))
            }
            Stmt::Opaque { writes, .. } => {
                is_seen_elsewhere || writes.iter().any(|access| access.var == var)
            }
            _ => false,
        }
    })
}
