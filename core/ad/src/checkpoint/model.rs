//! The choices of one procedure as a plain 0-1 problem.
//!
//! One binary `x_l` for each loop that may be reversed joint. Its cost is found by computing the
//! needs with that loop alone joint, so it holds what the slice costs, what the loop's own tape is,
//! and what its snapshots are. Relative to the split plan, costs of loops in different places add
//! up:
//!
//! ```text
//! minimise  Σ_l (time_l - time_split) x_l
//! subject to  Σ_{l on a path from the root} x_l ≤ 1   for each path
//! ```
//!
//! (One joint loop per path is a restriction of this first model: snapshots within snapshots are
//! the checkpointing of time loops.)

use contraflow_ir::{Callee, Procedure, Selector, Stmt, StmtId, Type};

use super::cost::{self, Cost};
use super::decisions::Decisions;
use crate::adjoint::extent::Extents;
use crate::adjoint::is_scalar_place;
use crate::adjoint::needs::{self, Subject};

/// Beyond this many statements, only innermost loops are candidates: the needs are computed once
/// per candidate.
const LARGE: usize = 3000;

/// A loop that may be joint.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The loop.
    pub loop_id: StmtId,
    /// The cost of the procedure with this loop joint and all others split.
    pub cost: Cost,
}

/// The problem.
#[derive(Clone, Default, Debug)]
pub struct Problem {
    /// The cost with all loops split.
    pub split: Cost,
    /// The loops that may be joint.
    pub choices: Vec<Choice>,
    /// Sets of choices of which at most one can be taken.
    pub exclusive: Vec<Vec<usize>>,
}

/// Weighs each candidate.
pub fn build(subject: &Subject<'_>) -> Problem {
    let procedure = &subject.module.procedures[subject.id];
    let none = Decisions::default();
    let split_needs = subject.with(&none).needs();
    let split = cost::of(subject, procedure, &split_needs);
    if split.bytes == 0.0 {
        return Problem {
            split,
            ..Problem::default()
        };
    }
    let statements = procedure.all_statements();
    let candidates: Vec<StmtId> = statements
        .iter()
        .copied()
        .filter(|&stmt| needs::may_be_joint(procedure, stmt))
        .filter(|stmt| split_needs.reversed.contains(stmt))
        .filter(|&stmt| can_run_again(subject, procedure, stmt))
        .filter(|&stmt| statements.len() < LARGE || is_innermost(procedure, stmt))
        .collect();
    let choices: Vec<Choice> = candidates
        .into_iter()
        .map(|loop_id| {
            let joint = Decisions::joint([loop_id]);
            let one = subject.with(&joint);
            Choice {
                loop_id,
                cost: cost::of(&one, procedure, &one.needs()),
            }
        })
        .collect();
    let exclusive = paths(subject, &choices);
    Problem {
        split,
        choices,
        exclusive,
    }
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

fn paths(subject: &Subject<'_>, choices: &[Choice]) -> Vec<Vec<usize>> {
    choices
        .iter()
        .map(|inner| {
            (0..choices.len())
                .filter(|&k| subject.tree.contains(choices[k].loop_id, inner.loop_id))
                .collect::<Vec<usize>>()
        })
        .filter(|path| path.len() > 1)
        .collect()
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
        crate::adjoint::place_type(subject.module, procedure, target),
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
    let loops = subject.tree.loops(procedure, stmt);
    let outside = loops.len() - subject.tree.loops_within(procedure, stmt, around).len();
    let extents = Extents {
        dependence: subject.dependence,
    };
    let mut scratch = procedure.clone();
    (outside..loops.len()).all(|depth| extents.loop_dim(&mut scratch, &loops[..=depth]).is_some())
}
