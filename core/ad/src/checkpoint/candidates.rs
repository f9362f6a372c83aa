//! What may be decided at all.

use contraflow_ir::{Callee, Procedure, Selector, Stmt, StmtId, Type};

use crate::adjoint::extent::Extents;
use crate::adjoint::needs::{self, Needs, Subject};
use crate::adjoint::time;
use crate::adjoint::{is_scalar_place, place_type};

/// Beyond this many statements only innermost loops are candidates: the needs are computed once per
/// candidate.
const LARGE: usize = 3000;

/// The loops that may be joint.
pub fn loops(subject: &Subject<'_>, split: &Needs, schedules: bool) -> Vec<StmtId> {
    let procedure = &subject.module.procedures[subject.id];
    let statements = procedure.all_statements();
    statements
        .iter()
        .copied()
        .filter(|&stmt| crate::analysis::tree::is_loop(procedure, stmt))
        .filter(|stmt| split.reversed.contains(stmt) && !subject.decisions.loops.contains_key(stmt))
        .filter(|&stmt| {
            needs::may_be_joint(procedure, stmt)
                && can_run_again(subject, procedure, stmt)
                && snapshots_are_whole(subject, stmt)
                || schedules && time::may_be_time_loop(subject, stmt)
        })
        .filter(|&stmt| statements.len() < LARGE || is_innermost(procedure, stmt))
        .collect()
}

/// Whether no snapshot would have to hold what pointers lead to.
pub fn snapshots_are_whole(subject: &Subject<'_>, l: StmtId) -> bool {
    let inside = subject.region(Some(l));
    if !inside
        .iter()
        .any(|&stmt| subject.writes_behind_pointers(stmt))
    {
        return true;
    }
    let one = subject.decisions.and_joint([l]);
    let needs = subject.with(&one).needs();
    let kept = needs
        .frames
        .values()
        .flat_map(|frame| frame.snapshots.values());
    kept.flatten().all(|place| !subject.leads_on(place.var))
}

/// Whether running the body twice does what running it once does, apart from what it computes: no
/// input or output, no callee of which nothing is known.
pub fn can_run_again(subject: &Subject<'_>, procedure: &Procedure, l: StmtId) -> bool {
    let mut ok = true;
    procedure.walk_block(
        subject.block(Some(l)),
        &mut |stmt| match procedure.stmt(stmt) {
            Stmt::Opaque { writes, .. } => ok &= writes.is_empty(),
            _ if !subject.effects[stmt].reshapes.is_empty() => ok = false,
            Stmt::Call { .. } if subject.once.contains(&stmt) => ok = false,
            Stmt::Call { callee, .. } => match callee {
                Callee::External(_) | Callee::Variable(_) => ok = false,
                Callee::Procedure(id) => ok &= !has_opaque(subject, *id),
            },
            _ => {}
        },
    );
    ok
}

fn has_opaque(subject: &Subject<'_>, id: contraflow_ir::ProcedureId) -> bool {
    let procedure = &subject.module.procedures[id];
    !procedure.has_body
        || procedure
            .stmts
            .iter()
            .any(|(_, node)| matches!(node.stmt, Stmt::Opaque { .. }))
}

fn is_innermost(procedure: &Procedure, l: StmtId) -> bool {
    let mut innermost = true;
    for block in procedure.stmt(l).blocks() {
        procedure.walk_block(block, &mut |stmt| {
            innermost &= !crate::analysis::tree::is_loop(procedure, stmt);
        });
    }
    innermost
}

/// Whether the result of an assignment can be taped by the frame around its joint loop: one number,
/// in counted loops.
pub fn may_be_stored(subject: &Subject<'_>, stmt: StmtId) -> bool {
    let procedure = &subject.module.procedures[subject.id];
    let Stmt::Assign { target, .. } = procedure.stmt(stmt) else {
        return false;
    };
    let Some(child) = subject.frame_of(stmt) else {
        return false;
    };
    let is_number = matches!(
        place_type(subject.module, procedure, target),
        Type::Integer { .. } | Type::Real { .. } | Type::Complex { .. } | Type::Logical { .. }
    );
    let is_plain = |selector: &Selector| matches!(selector, Selector::Index(_));
    if !is_number
        || !target.path.iter().all(is_plain)
        || !is_scalar_place(subject.module, procedure, target)
        || procedure.variables[target.var].optional
    {
        return false;
    }
    let around = subject.frame_of(child);
    let loops = subject.tree.loops(stmt);
    let outside = loops.len() - subject.tree.loops_within(stmt, around).len();
    let extents = Extents {
        dependence: subject.dependence,
    };
    let mut scratch = procedure.clone();
    (outside..loops.len()).all(|depth| extents.loop_dim(&mut scratch, &loops[..=depth]).is_some())
}
