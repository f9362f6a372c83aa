//! Variables that are kept once, where a loop starts, instead of wherever it overwrites them
//! (`adjoint::needs::whole`): decided before the loops, one after the other, each if the plan with all
//! loops split gets better by it.

use std::collections::BTreeSet;

use contraflow_ir::{Access, Stmt, StmtId, VarId};

use super::cost::Meter;
use super::decisions::Decisions;
use crate::adjoint::needs::{Needs, Subject};

/// The needs are computed once per candidate: at most so many.
const MOST: usize = 40;
/// In procedures with more statements nothing is kept whole.
const MANY_STATEMENTS: usize = 1500;

/// The given decisions and what is better kept whole.
pub fn decide(subject: &Subject<'_>, meter: &mut Meter<'_, '_>) -> Decisions {
    let mut decisions = subject.decisions.clone();
    if subject.module.procedures[subject.id].stmts.len() > MANY_STATEMENTS {
        return decisions;
    }
    let needs = subject.needs();
    let mut best = meter.cost(subject, &needs);
    for kept in candidates(subject, &needs).into_iter().take(MOST) {
        let mut with = decisions.clone();
        with.whole.insert(kept);
        let decided = subject.with(&with);
        let needs = decided.needs();
        let is_taken = needs.frames[&None].whole.contains_key(&kept.0);
        let cost = meter.cost(&decided, &needs);
        if is_taken && cost.bytes < best.bytes && cost.time() <= best.time() {
            (decisions, best) = (with, cost);
        }
    }
    decisions
}

/// What is saved more than once in a loop: a statement saves it whose subscripts do not tell all loops
/// apart. Outer loops first.
pub fn candidates(subject: &Subject<'_>, needs: &Needs) -> BTreeSet<(StmtId, VarId)> {
    let mut found = BTreeSet::new();
    for (&writer, places) in &needs.frames[&None].saves {
        let loops = subject.tree.loops(writer);
        for place in places {
            let innermost = loops.iter().rposition(|&l| !tells_apart(subject, place, l));
            let Some(repeated) = innermost else { continue };
            let around = loops[..=repeated].iter();
            found.extend(
                around
                    .filter(|&&l| subject.may_be_whole(l, place.var))
                    .map(|&l| (l, place.var)),
            );
        }
    }
    found
}

fn tells_apart(subject: &Subject<'_>, place: &Access, l: StmtId) -> bool {
    let procedure = &subject.module.procedures[subject.id];
    let Stmt::Loop { variable, .. } = procedure.stmt(l) else {
        return true;
    };
    place
        .expressions()
        .flat_map(|e| procedure.reads_of_expr(e))
        .any(|read| read.var == *variable)
}
