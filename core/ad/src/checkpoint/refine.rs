//! From the model's answer to a plan that is weighed exactly.
//!
//! The model adds up differences of costs; what joint loops in one procedure share it does not see.
//! So the answer is weighed by computing its needs. If it is above the limit, the model is solved
//! again with as much less room; then single decisions are turned round as long as that makes the
//! plan better and the procedure is small enough for it.

use super::cost::{Cost, Meter};
use super::model::{Problem, Selection};
use super::solve::{self, Aim, Answer, Task};
use super::{Brief, Plan};
use crate::adjoint::needs::Subject;
use crate::request::Planner;

/// How often the model is solved again with less room.
const ROUNDS: usize = 4;
/// How many plans are weighed exactly.
const WEIGHINGS: usize = 300;
/// In procedures with more statements only the model's answer is weighed.
const MANY_STATEMENTS: usize = 400;

/// The best plan that is found.
pub fn solve<'a>(
    subject: &Subject<'a>,
    meter: &mut Meter<'_, 'a>,
    problem: &Problem,
    brief: &Brief<'_>,
) -> Plan {
    let mut scale = Scale {
        subject,
        meter,
        problem,
        limit: brief.limit,
        left: WEIGHINGS,
    };
    let mut room = brief.limit;
    let mut best: Option<(Answer, Cost)> = None;
    for _ in 0..ROUNDS {
        let task = |aim, limit| Task {
            limit,
            aim,
            seconds: brief.planning.seconds,
            gap: brief.planning.gap,
        };
        let ask = |task: &Task| match brief.planner {
            Planner::Greedy => solve::greedy(problem, task).map(|selection| Answer {
                selection,
                gap: None,
            }),
            _ => solve::optimal(problem, task),
        };
        // Where nothing fits, as little memory as possible.
        let answer = ask(&task(Aim::Time, room))
            .or_else(|| ask(&task(Aim::Memory, None)))
            .unwrap_or_else(|| Answer {
                selection: problem.nothing(),
                gap: None,
            });
        let cost = scale.cost(&answer.selection);
        let excess = scale.excess(cost);
        let is_better = best
            .as_ref()
            .is_none_or(|(_, old)| scale.rank(cost) < scale.rank(*old));
        if is_better {
            best = Some((answer, cost));
        }
        match room {
            Some(bytes) if excess > 0.0 => room = Some(bytes - excess),
            _ => break,
        }
    }
    let Some((answer, cost)) = best else {
        return Plan {
            decisions: subject.decisions.clone(),
            ..Plan::default()
        };
    };
    let size = subject.module.procedures[subject.id].stmts.len();
    let is_small = size <= MANY_STATEMENTS && !problem.loops.is_empty();
    let (selection, cost) = match is_small {
        true => scale.improve(answer.selection, cost),
        false => (answer.selection, cost),
    };
    Plan {
        decisions: problem.decisions(&selection),
        cost,
        gap: answer.gap,
        guessed: Vec::new(),
    }
}

/// Weighs selections exactly.
struct Scale<'m, 's, 'a> {
    subject: &'m Subject<'a>,
    meter: &'m mut Meter<'s, 'a>,
    problem: &'m Problem,
    limit: Option<f64>,
    left: usize,
}

impl Scale<'_, '_, '_> {
    fn cost(&mut self, selection: &Selection) -> Cost {
        self.left = self.left.saturating_sub(1);
        let decisions = self.problem.decisions(selection);
        let decided = self.subject.with(&decisions);
        let needs = decided.needs();
        self.meter.cost(&decided, &needs)
    }

    fn excess(&self, cost: Cost) -> f64 {
        self.limit
            .map_or(0.0, |limit| (cost.bytes - limit).max(0.0))
    }

    /// What is smaller is better: first what is over the limit, then time.
    fn rank(&self, cost: Cost) -> (f64, f64) {
        (self.excess(cost), cost.time(self.problem.thrift))
    }

    fn improve(&mut self, mut selection: Selection, mut cost: Cost) -> (Selection, Cost) {
        loop {
            let mut step: Option<(Selection, Cost)> = None;
            for next in neighbours(self.problem, &selection) {
                if self.left == 0 {
                    return step.unwrap_or((selection, cost));
                }
                let found = self.cost(&next);
                let mark = step.as_ref().map_or(cost, |(_, cost)| *cost);
                if self.rank(found) < self.rank(mark) {
                    step = Some((next, found));
                }
            }
            match step {
                Some((next, found)) => (selection, cost) = (next, found),
                None => return (selection, cost),
            }
        }
    }
}

/// All selections that differ in one decision, or in the place of one joint loop.
fn neighbours(problem: &Problem, selection: &Selection) -> Vec<Selection> {
    let mut all = Vec::new();
    let nests = problem.choices.iter().any(|choice| choice.parent.is_some());
    for l in 0..problem.loops.len() {
        let mut next = selection.clone();
        next.joint[l] = !next.joint[l];
        if nests || problem.loops[l].around.is_empty() && !is_around(problem, l) {
            all.push(next.clone());
        }
        // The loop instead of one around or inside it.
        for other in 0..problem.loops.len() {
            let related = problem.loops[l].around.contains(&other)
                || problem.loops[other].around.contains(&l);
            if next.joint[l] && related && next.joint[other] {
                let mut moved = next.clone();
                moved.joint[other] = false;
                all.push(moved);
            }
        }
    }
    for (v, item) in problem.items.iter().enumerate() {
        if selection.joint[item.inner] && !item.stores.is_empty() {
            let mut next = selection.clone();
            next.read[v] = !next.read[v];
            all.push(next);
        }
    }
    all
}

fn is_around(problem: &Problem, l: usize) -> bool {
    problem.loops.iter().any(|info| info.around.contains(&l))
}
