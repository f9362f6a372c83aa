//! Reversing the last loop nest as it runs: `do i: forward(i); backward(i)`.
//!
//! Where the iterations of a loop are independent, each can be reversed as soon as it has run, with
//! everything it computed still in registers: nothing is stored and nothing is run again (Hascoët,
//! Fidanova & Held's II-loops, 2001). The adjoints that enter the loop's backward sweep must be
//! known by then, so this is done for the last statement of the procedure that is reversed.
//!
//! Iterations are independent for this purpose if no two of them touch the same element of an
//! active variable with one of them writing it, apart from
//! * sums `x = x + e` where `x` enters `e` in no other way and nothing else touches `x` in the loop:
//!   the shadow of `x` is only read;
//! * variables that each iteration writes before it reads them: their shadows are zero at both ends
//!   of an iteration's reversal.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{Access, BinaryOp, Expr, ExprId, Procedure, Stmt, StmtId, VarId};

use super::needs::{Needs, Subject};
use crate::checkpoint::{Decisions, Reversal};

/// A loop that is reversed as it runs.
pub struct Fusion {
    /// The loop.
    pub loop_id: StmtId,
    /// The decisions then: its iterations are a frame.
    pub decisions: Decisions,
    /// Statements after the loop whose reversal uses no primal value, and is done before the loop.
    pub ahead: Vec<StmtId>,
}

struct Touch {
    stmt: StmtId,
    access: Access,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Read,
    Write,
    Sum,
}

/// The loop to fuse, if there is one.
pub fn find(subject: &Subject<'_>, shadows: &BTreeMap<VarId, VarId>) -> Option<Fusion> {
    let plain = subject.needs();
    let procedure = &subject.module.procedures[subject.id];
    let mut block: &[StmtId] = &procedure.body;
    let mut chain = Vec::new();
    let mut found = None;
    let ahead = linear_tail(subject, &plain, block);
    while let Some(l) = only_reversed(&plain, block, chain.is_empty(), &ahead) {
        let Stmt::Loop { body, .. } = procedure.stmt(l) else {
            break;
        };
        if holds_time_loop(subject, l) {
            break;
        }
        chain.push(l);
        if subject.changes_memory(l)
            || touches_mirrored(subject, procedure, shadows, l)
            || !is_independent(subject, procedure, shadows, l)
        {
            break;
        }
        found = Some(l);
        block = body;
    }
    let loop_id = found?;
    if tail_reads_iterations(subject, procedure, shadows, chain[0], &ahead) {
        return None;
    }
    // The chain above must be independent too, which the walk has checked level by level.
    let mut decisions = subject.decisions.clone();
    decisions.loops.retain(|&other, _| {
        !subject.tree.contains(loop_id, other) && !subject.tree.contains(other, loop_id)
    });
    decisions.loops.insert(loop_id, Reversal::Joint);
    let fused = Subject {
        decisions: &decisions,
        fused: Some(loop_id),
        ..*subject
    };
    let needs = fused.needs();
    let root = &needs.frames[&None];
    let keeps_results = changed_backwards(&fused, &needs, loop_id)
        .into_iter()
        .all(|var| ends_with_iteration(&fused, procedure, var, loop_id));
    let writes_back = |stmt: &StmtId| subject.split_writes.contains(stmt);
    if subject.region(Some(chain[0])).iter().any(writes_back) {
        return None;
    }
    let in_chain = |stmt: &StmtId| subject.tree.contains(chain[0], *stmt);
    let nothing_to_undo = !root.snapshots.contains_key(&loop_id)
        && !root.saves.keys().chain(root.whole.keys()).any(in_chain)
        && !root.undone.iter().any(in_chain)
        && !root.stored.iter().any(in_chain);
    (keeps_results && nothing_to_undo).then_some(Fusion {
        loop_id,
        decisions,
        ahead,
    })
}

/// Whether a loop is a time loop, or has one inside.
fn holds_time_loop(subject: &Subject<'_>, l: StmtId) -> bool {
    subject
        .decisions
        .frames()
        .any(|other| subject.schedule(other).is_some() && subject.tree.contains(l, other))
}

/// The variables that reversing an iteration changes: what is put back, what inner loops that run again
/// write, and the variables of loops.
fn changed_backwards(subject: &Subject<'_>, needs: &Needs, l: StmtId) -> BTreeSet<VarId> {
    let mut changed = BTreeSet::new();
    for (frame, found) in &needs.frames {
        if !frame.is_some_and(|frame| subject.tree.contains(l, frame)) {
            continue;
        }
        let kept = found.saves.values().chain(found.snapshots.values());
        changed.extend(kept.flatten().map(|place| place.var));
        let undone = found
            .undone
            .iter()
            .flat_map(|s| &subject.effects[*s].writes);
        changed.extend(undone.map(|write| write.var));
        if *frame != Some(l) {
            let writes = found.slice.iter().flat_map(|s| &subject.effects[*s].writes);
            changed.extend(writes.map(|write| write.var));
        }
    }
    let procedure = &subject.module.procedures[subject.id];
    for stmt in subject.region(Some(l)) {
        match procedure.stmt(stmt) {
            Stmt::Loop { variable, .. } if needs.reversed.contains(&stmt) => {
                changed.insert(*variable);
            }
            _ => {}
        }
    }
    changed
}

/// Whether what an iteration leaves in a variable is read by nobody: reversing the iteration right after
/// it puts back what the variable held before.
fn ends_with_iteration(
    subject: &Subject<'_>,
    procedure: &Procedure,
    var: VarId,
    l: StmtId,
) -> bool {
    let is_elsewhere = crate::links::is_pointer(procedure, var) || subject.leads_on(var);
    if procedure.variables[var].outlives_call() || procedure.result() == Some(var) || is_elsewhere {
        return false;
    }
    let around = subject.tree.loops(l);
    let mut is_later = false;
    procedure.all_statements().into_iter().all(|stmt| {
        is_later |= stmt == l;
        let is_inside = stmt != l && subject.tree.contains(l, stmt);
        let may_follow = is_later || around.iter().any(|&o| subject.tree.contains(o, stmt));
        subject.effects[stmt]
            .reads
            .iter()
            .filter(|read| subject.dependence.overlaps(read.var, var))
            .filter(|read| !subject.is_always_there(read.var, stmt))
            .all(|read| match is_inside {
                true => read.var == var && subject.dependence.is_covered(stmt, read, Some(l)),
                false => !may_follow,
            })
    })
}

/// Whether a loop touches what has a shadow only between the sweeps and after.
fn touches_mirrored(
    subject: &Subject<'_>,
    procedure: &Procedure,
    shadows: &BTreeMap<VarId, VarId>,
    l: StmtId,
) -> bool {
    active_touches(subject, procedure, shadows, l)
        .iter()
        .map(|touch| touch.access.var)
        .any(|var| subject.memory.is_mirrored(var) || subject.memory.is_record(var))
}

/// The assignments at the end of the body whose reversal uses no primal value, such as `f = s`.
fn linear_tail(subject: &Subject<'_>, needs: &Needs, block: &[StmtId]) -> Vec<StmtId> {
    let procedure = &subject.module.procedures[subject.id];
    let root = &needs.frames[&None];
    block
        .iter()
        .rev()
        .copied()
        .filter(|stmt| needs.reversed.contains(stmt))
        .take_while(|stmt| {
            matches!(procedure.stmt(*stmt), Stmt::Assign { .. })
                && !subject.uses.contains_key(stmt)
                && !root.saves.contains_key(stmt)
                && !root.undone.contains(stmt)
        })
        .collect()
}

/// Whether the tail reads what single iterations leave behind: its adjoint belongs to the last one
/// alone. Sums are the same to all iterations, and so is what the loop only reads.
fn tail_reads_iterations(
    subject: &Subject<'_>,
    procedure: &Procedure,
    shadows: &BTreeMap<VarId, VarId>,
    l: StmtId,
    ahead: &[StmtId],
) -> bool {
    let touches = active_touches(subject, procedure, shadows, l);
    ahead.iter().any(|&stmt| {
        subject.effects[stmt].reads.iter().any(|read| {
            touches.iter().any(|touch| {
                touch.kind == Kind::Write && subject.dependence.overlaps(touch.access.var, read.var)
            })
        })
    })
}

/// The statement of a block that is reversed: the last one at the top, the only one further in.
fn only_reversed(
    needs: &Needs,
    block: &[StmtId],
    is_top: bool,
    ahead: &[StmtId],
) -> Option<StmtId> {
    let mut reversed = block
        .iter()
        .copied()
        .filter(|stmt| needs.reversed.contains(stmt) && !ahead.contains(stmt));
    if is_top {
        return reversed.next_back();
    }
    let one = reversed.next()?;
    reversed.next().is_none().then_some(one)
}

fn is_independent(
    subject: &Subject<'_>,
    procedure: &Procedure,
    shadows: &BTreeMap<VarId, VarId>,
    l: StmtId,
) -> bool {
    let touches = active_touches(subject, procedure, shadows, l);
    let sums: BTreeSet<VarId> = touches
        .iter()
        .filter(|touch| touch.kind == Kind::Sum)
        .map(|touch| touch.access.var)
        .filter(|&var| {
            touches.iter().all(|touch| {
                touch.kind == Kind::Sum && touch.access.var == var
                    || !subject.dependence.overlaps(touch.access.var, var)
            })
        })
        .collect();
    let private: BTreeSet<VarId> = touches
        .iter()
        .map(|touch| touch.access.var)
        .filter(|&var| is_private(subject, procedure, &touches, var, l))
        .collect();
    let matters =
        |touch: &&Touch| !sums.contains(&touch.access.var) && !private.contains(&touch.access.var);
    let relevant: Vec<&Touch> = touches.iter().filter(matters).collect();
    relevant.iter().all(|a| {
        relevant.iter().all(|b| {
            a.kind == Kind::Read && b.kind == Kind::Read
                || !subject
                    .dependence
                    .may_meet_later((a.stmt, &a.access), (b.stmt, &b.access), l)
        })
    })
}

fn is_private(
    subject: &Subject<'_>,
    procedure: &Procedure,
    touches: &[Touch],
    var: VarId,
    l: StmtId,
) -> bool {
    !procedure.variables[var].outlives_call()
        && procedure.result() != Some(var)
        && touches
            .iter()
            .filter(|touch| touch.access.var == var && touch.kind != Kind::Write)
            .all(|touch| {
                subject
                    .dependence
                    .is_covered(touch.stmt, &touch.access, Some(l))
            })
}

fn active_touches(
    subject: &Subject<'_>,
    procedure: &Procedure,
    shadows: &BTreeMap<VarId, VarId>,
    l: StmtId,
) -> Vec<Touch> {
    let mut touches = Vec::new();
    for stmt in subject.region(Some(l)) {
        let sum = match procedure.stmt(stmt) {
            Stmt::Assign { target, value } => is_sum(procedure, target, *value),
            _ => false,
        };
        let effects = &subject.effects[stmt];
        let target = effects.writes.first();
        for access in &effects.reads {
            let own = sum && target.is_some_and(|t| procedure.same_access(t, access));
            if shadows.contains_key(&access.var) && !own {
                touches.push(Touch {
                    stmt,
                    access: access.clone(),
                    kind: Kind::Read,
                });
            }
        }
        for access in &effects.writes {
            if shadows.contains_key(&access.var) {
                touches.push(Touch {
                    stmt,
                    access: access.clone(),
                    kind: if sum { Kind::Sum } else { Kind::Write },
                });
            }
        }
    }
    touches
}

/// Whether a value is `target` plus or minus something that does not read `target`.
fn is_sum(procedure: &Procedure, target: &Access, value: ExprId) -> bool {
    let reads_target = |e: ExprId| {
        procedure
            .reads_of_expr(e)
            .iter()
            .any(|read| read.var == target.var)
    };
    match *procedure.expr(value) {
        Expr::Load(ref access) => procedure.same_access(access, target),
        Expr::Binary(BinaryOp::Add, a, b) => {
            is_sum(procedure, target, a) && !reads_target(b)
                || is_sum(procedure, target, b) && !reads_target(a)
        }
        Expr::Binary(BinaryOp::Subtract, a, b) => is_sum(procedure, target, a) && !reads_target(b),
        _ => false,
    }
}
