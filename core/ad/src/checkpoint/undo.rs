//! Integers that are undone instead of kept (`adjoint::needs::undo`): decided before the loops, all of
//! them or else one after the other, where the plan with all loops split gets better by it.

use contraflow_ir::StmtId;

use super::cost::Meter;
use super::decisions::Decisions;
use crate::adjoint::needs::Subject;

/// The needs are computed once per candidate: at most so many.
const MOST: usize = 40;
/// In procedures with more statements none is undone: what undoing uses makes the needs of long ones
/// slow to find.
const MANY_STATEMENTS: usize = 400;

/// The given decisions and what is better undone.
pub fn decide(subject: &Subject<'_>, meter: &mut Meter<'_, '_>) -> Decisions {
    let mut decisions = subject.decisions.clone();
    if subject.module.procedures[subject.id].stmts.len() > MANY_STATEMENTS {
        return decisions;
    }
    let all = candidates(subject);
    if all.is_empty() {
        return decisions;
    }
    let needs = subject.needs();
    let saves = &needs.frames[&None].saves;
    let saved = all.iter().filter(|stmt| saves.contains_key(stmt));
    let saved: Vec<StmtId> = saved.copied().collect();
    if saved.is_empty() {
        return decisions;
    }
    let mut best = meter.cost(subject, &needs);
    // What one of them adds may be another one: all together first.
    let one_by_one = saved.into_iter().take(MOST).map(|stmt| vec![stmt]);
    for undone in std::iter::once(all).chain(one_by_one) {
        let mut with = decisions.clone();
        with.undone.extend(undone);
        if with == decisions {
            continue;
        }
        let decided = subject.with(&with);
        let cost = meter.cost(&decided, &decided.needs());
        let (fewer, faster) = (cost.bytes < best.bytes, cost.time() < best.time());
        if cost.bytes <= best.bytes && cost.time() <= best.time() && (fewer || faster) {
            (decisions, best) = (with, cost);
        }
    }
    decisions
}

/// What can be undone.
pub fn candidates(subject: &Subject<'_>) -> Vec<StmtId> {
    let procedure = &subject.module.procedures[subject.id];
    let all = procedure.all_statements().into_iter();
    all.filter(|&stmt| subject.undoing(stmt).is_some())
        .collect()
}
