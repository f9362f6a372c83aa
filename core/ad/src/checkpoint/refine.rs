//! From the model's answer to a plan that is weighed exactly.
//!
//! The model adds up differences of costs; what joint loops in one procedure share it does not see.
//! So the answer is weighed by computing its needs. If it is above the limit, the model is solved
//! again with as much less room; then single decisions are turned round as long as that makes the
//! plan better and the procedure is small enough for it.

use std::collections::HashMap;

use super::cost::{Cost, Meter};
use super::decisions::Reversal;
use super::model::{Problem, Selection};
use super::solve::{self, Aim, Answer, Task};
use super::{Brief, Plan};
use crate::adjoint::needs::Subject;
use crate::adjoint::time;
use crate::request::Planner;

/// How often the model is solved again with less room.
const ROUNDS: usize = 2;
/// How many statements are looked at while plans are weighed exactly.
const WEIGHINGS: usize = 20_000;
/// How many decisions may be tried in all combinations.
const MOST_DECISIONS: usize = 12;
/// How many decisions are tried in all combinations besides.
const FEW_DECISIONS: usize = 6;
/// In procedures with more statements only the model's answer is weighed.
const MANY_STATEMENTS: usize = 400;

/// The best plan that is found.
pub fn solve<'a>(
    subject: &Subject<'a>,
    meter: &mut Meter<'_, 'a>,
    problem: &Problem,
    brief: &Brief<'_>,
) -> Plan {
    let size = subject.module.procedures[subject.id].stmts.len();
    let mut scale = Scale {
        subject,
        meter,
        problem,
        limit: brief.limit,
        left: (WEIGHINGS / size.max(1)).clamp(30, 200),
        known: HashMap::new(),
    };
    if brief.planner == Planner::Exhaustive && decisions_of(problem) <= MOST_DECISIONS {
        return scale.best_of_all();
    }
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
    let is_small = size <= MANY_STATEMENTS && !problem.loops.is_empty();
    let (mut selection, mut cost) = (answer.selection, cost);
    if is_small {
        for start in starts(problem, &selection) {
            let weighed = scale.cost(&start);
            let (found, better) = scale.improve(start, weighed);
            if scale.rank(better) < scale.rank(cost) {
                (selection, cost) = (found, better);
            }
        }
    }
    // Single turns may miss what several together reach.
    let is_tried = match scale.excess(cost) > 0.0 {
        // Nothing fits into nothing: then as little as single turns reach.
        true => brief.limit > Some(0.0) && decisions_of(problem) <= MOST_DECISIONS,
        false => decisions_of(problem) <= FEW_DECISIONS,
    };
    if is_small && is_tried {
        let plan = scale.best_of_all();
        if scale.rank(plan.cost) < scale.rank(cost) {
            return plan;
        }
    }
    Plan {
        decisions: problem.decisions(&selection),
        cost,
        gap: answer.gap,
        ..Plan::default()
    }
}

/// Weighs selections exactly.
struct Scale<'m, 's, 'a> {
    subject: &'m Subject<'a>,
    meter: &'m mut Meter<'s, 'a>,
    problem: &'m Problem,
    limit: Option<f64>,
    left: usize,
    known: HashMap<Selection, Cost>,
}

impl Scale<'_, '_, '_> {
    fn cost(&mut self, selection: &Selection) -> Cost {
        if let Some(&cost) = self.known.get(selection) {
            return cost;
        }
        self.left = self.left.saturating_sub(1);
        let cost = self.weigh(selection);
        self.known.insert(selection.clone(), cost);
        cost
    }

    fn weigh(&mut self, selection: &Selection) -> Cost {
        let decisions = self.problem.decisions(selection);
        let decided = self.subject.with(&decisions);
        let has_room = decisions.frames().all(|l| time::has_room(&decided, l));
        if !has_room {
            return Cost {
                bytes: f64::MAX,
                traffic: f64::MAX,
                work: 0.0,
            };
        }
        let needs = decided.needs();
        self.meter.cost(&decided, &needs)
    }

    fn excess(&self, cost: Cost) -> f64 {
        self.limit
            .map_or(0.0, |limit| (cost.bytes - limit).max(0.0))
    }

    /// What is smaller is better: first what is over the limit, then time.
    fn rank(&self, cost: Cost) -> (f64, f64) {
        (self.excess(cost), cost.time())
    }

    fn best_of_all(&mut self) -> Plan {
        let (loops, items) = (self.problem.loops.len(), self.problem.items.len());
        let storable: Vec<usize> = (0..items)
            .filter(|&v| !self.problem.items[v].stores.is_empty())
            .collect();
        let all = 0..1u32 << decisions_of(self.problem);
        let weighed = all.map(|bits| {
            let mut selection = self.problem.nothing();
            for l in 0..loops {
                let may_be = self.problem.reversals(l).contains(&Reversal::Joint);
                selection.loops[l] = (may_be && bits >> l & 1 == 1).then_some(Reversal::Joint);
            }
            for (k, &v) in storable.iter().enumerate() {
                selection.read[v] = bits >> (loops + k) & 1 == 1;
            }
            let cost = self.cost(&selection);
            (selection, cost)
        });
        let weighed: Vec<(Selection, Cost)> = weighed.collect();
        let best = weighed.into_iter().min_by(|(_, a), (_, b)| {
            self.rank(*a)
                .partial_cmp(&self.rank(*b))
                .expect("invariant: costs are numbers")
        });
        let (selection, cost) = best.expect("invariant: nothing is a selection");
        Plan {
            decisions: self.problem.decisions(&selection),
            cost,
            gap: Some(0.0),
            ..Plan::default()
        }
    }

    fn improve(&mut self, mut selection: Selection, mut cost: Cost) -> (Selection, Cost) {
        loop {
            let mut step: Option<(Selection, Cost)> = None;
            // Snapshots of some iterations only where nothing else helps: there are many of those.
            let (few, many): (Vec<Selection>, Vec<Selection>) =
                neighbours(self.problem, &selection)
                    .into_iter()
                    .partition(|next| schedules(next) <= schedules(&selection));
            for (next, is_last_resort) in few
                .into_iter()
                .map(|next| (next, false))
                .chain(many.into_iter().map(|next| (next, true)))
            {
                if is_last_resort && step.is_some() {
                    break;
                }
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

/// Where to look for better plans: at the model's answer, at nothing, and at each loop alone.
fn starts(problem: &Problem, answer: &Selection) -> Vec<Selection> {
    let mut all = vec![answer.clone(), problem.nothing()];
    for l in 0..problem.loops.len() {
        let mut alone = problem.nothing();
        alone.loops[l] = problem.reversals(l).first().copied();
        all.push(alone);
    }
    all
}

/// How many loops have snapshots of some iterations.
fn schedules(selection: &Selection) -> usize {
    let is_schedule =
        |reversal: &&Option<Reversal>| matches!(reversal, Some(Reversal::Checkpointed(_)));
    selection.loops.iter().filter(is_schedule).count()
}

fn decisions_of(problem: &Problem) -> usize {
    let storable = problem.items.iter().filter(|item| !item.stores.is_empty());
    problem.loops.len() + storable.count()
}

/// All selections that differ in one decision, or in the place of one joint loop.
fn neighbours(problem: &Problem, selection: &Selection) -> Vec<Selection> {
    let mut all = Vec::new();
    let nests = problem.may_nest();
    for l in 0..problem.loops.len() {
        let others = problem.reversals(l).into_iter().map(Some).chain([None]);
        for reversal in others.filter(|&reversal| reversal != selection.loops[l]) {
            let mut next = selection.clone();
            next.loops[l] = reversal;
            if nests || problem.loops[l].around.is_empty() && !is_around(problem, l) {
                all.push(next.clone());
            }
            // The loop instead of one around or inside it.
            for other in 0..problem.loops.len() {
                let related = problem.loops[l].around.contains(&other)
                    || problem.loops[other].around.contains(&l);
                if reversal.is_some() && related && next.loops[other].is_some() {
                    let mut moved = next.clone();
                    moved.loops[other] = None;
                    all.push(moved);
                }
            }
        }
    }
    for (v, item) in problem.items.iter().enumerate() {
        if selection.loops[item.inner].is_some() && !item.stores.is_empty() {
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
