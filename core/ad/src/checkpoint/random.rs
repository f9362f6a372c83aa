//! Any plan: the derivative must not depend on the plan, which the laws test with these.

use contraflow_ir::Stmt;

use super::candidates;
use super::decisions::{Decisions, Reversal, Schedule};
use super::{undo, whole};
use crate::adjoint::needs::{self, Subject};
use crate::adjoint::time;

/// Draws decisions among all that are allowed.
pub fn decisions(subject: &Subject<'_>, seed: u64) -> Decisions {
    let procedure = &subject.module.procedures[subject.id];
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ subject.id.index() as u64;
    let mut drawn = subject.decisions.clone();
    for stmt in procedure.all_statements() {
        if toss(&mut state) && time::may_be_time_loop(subject, stmt) {
            let slots = 1 + u32::from(toss(&mut state)) + 2 * u32::from(toss(&mut state));
            let schedule = match toss(&mut state) {
                true if time::may_be_on_disk(subject, stmt) => Schedule::Disk {
                    files: 1 + u32::from(toss(&mut state)),
                    slots,
                },
                _ => Schedule::Binomial { slots },
            };
            drawn.loops.insert(stmt, Reversal::Checkpointed(schedule));
            continue;
        }
        if needs::may_be_joint(procedure, stmt)
            && candidates::can_run_again(subject, procedure, stmt)
            && toss(&mut state)
        {
            drawn.loops.insert(stmt, Reversal::Joint);
        }
    }
    loop {
        let crowded = drawn
            .frames()
            .find(|&l| !time::has_room(&subject.with(&drawn), l));
        let Some(l) = crowded else { break };
        drawn.loops.remove(&l);
    }
    let storable: Vec<_> = procedure
        .all_statements()
        .into_iter()
        .filter(|&stmt| matches!(procedure.stmt(stmt), Stmt::Assign { .. }))
        .filter(|&stmt| candidates::may_be_stored(&subject.with(&drawn), stmt))
        .collect();
    let kept = subject.with(&drawn);
    let whole: Vec<_> = whole::candidates(&kept, &kept.needs())
        .into_iter()
        .collect();
    drawn.whole = whole.into_iter().filter(|_| toss(&mut state)).collect();
    drawn.stored = storable.into_iter().filter(|_| toss(&mut state)).collect();
    let undone = undo::candidates(subject).into_iter();
    drawn.undone = undone.filter(|_| toss(&mut state)).collect();
    drawn
}

fn toss(state: &mut u64) -> bool {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) & 1 == 1
}
