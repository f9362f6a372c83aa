//! Branch and bound around the bound of `relax`: the planner's own solver, for problems of any size.
//!
//! Where the plans on both sides of the limit differ, one of their differences is decided both ways.
//! The most promising part is looked at first. What stops it is the gap, the time, or a number of
//! parts, so that a machine's speed rarely decides on a plan.

use std::time::Instant;

use super::decisions::Reversal;
use super::model::{Problem, Selection};
use super::relax::{Allowed, Bound, Forest};
use super::solve::{Aim, Task};

/// How many plans are weighed to improve the one that fits, times the size of the problem.
const WEIGHINGS: usize = 400_000;
/// How many parts are looked at, times the size of the problem.
const PARTS: usize = 400_000;

/// What is known in the end.
pub struct Found {
    /// The best plan that fits, and what shall be small of it.
    pub best: Option<(Selection, f64)>,
    /// No plan that fits is below.
    pub bound: f64,
}

/// One decision of branching.
#[derive(Clone, Copy)]
enum Decided {
    Only(usize, Option<Reversal>),
    Never(usize, Option<Reversal>),
    NeverRead(usize),
    NeverRun(usize),
}

struct Part {
    bound: f64,
    decided: Vec<Decided>,
}

/// Solves the problem as far as the task asks. `start` is a plan that fits, if one is known.
pub fn solve(problem: &Problem, task: &Task, start: Option<Selection>) -> Found {
    let mut search = Search {
        forest: Forest::of(problem, task.aim),
        problem,
        task,
        best: None,
        began: Instant::now(),
        left: WEIGHINGS / (problem.loops.len() + problem.items.len()).max(1),
    };
    if let Some(start) = &start {
        search.consider(start);
    }
    search.run()
}

struct Search<'p> {
    forest: Forest<'p>,
    problem: &'p Problem,
    task: &'p Task,
    best: Option<(Selection, f64)>,
    began: Instant,
    left: usize,
}

impl Search<'_> {
    fn run(mut self) -> Found {
        let mut parts = vec![Part {
            bound: f64::NEG_INFINITY,
            decided: Vec::new(),
        }];
        // What was given up although it may hold better plans.
        let mut given_up = f64::INFINITY;
        let size = self.problem.loops.len() + self.problem.items.len();
        let mut left = PARTS / size.max(1) + 10;
        while let Some(at) = most_promising(&parts) {
            if self.is_good_enough(parts[at].bound) {
                break;
            }
            let is_late = self.began.elapsed().as_secs_f64() > self.task.seconds;
            if left == 0 || is_late && parts[at].bound.is_finite() {
                break;
            }
            left -= 1;
            let part = parts.swap_remove(at);
            let allowed = self.allowed(&part.decided);
            let Some(bound) = self.forest.bound(self.task, &allowed) else {
                continue;
            };
            let is_exact = self.look_at(&bound);
            if self.is_good_enough(bound.value) || is_exact {
                given_up = given_up.min(bound.value);
                continue;
            }
            let Some(branches) = self.branches(&bound, &allowed) else {
                continue;
            };
            for decision in branches {
                let mut decided = part.decided.clone();
                decided.push(decision);
                let bound = bound.value.max(part.bound);
                parts.push(Part { bound, decided });
            }
        }
        let open = parts.iter().map(|part| part.bound);
        let mut bound = open.fold(given_up, f64::min);
        if let Some((_, best)) = &self.best {
            bound = bound.min(*best);
        }
        Found {
            best: self.best,
            bound,
        }
    }

    /// Whether nothing that is better by more than the gap can be above this bound.
    fn is_good_enough(&self, bound: f64) -> bool {
        let rounding = 1e-9;
        self.best
            .as_ref()
            .is_some_and(|(_, best)| best - bound <= (self.task.gap.max(rounding)) * best.abs())
    }

    /// Remembers what is good in a bound's plans. Whether the bound is a plan's.
    fn look_at(&mut self, bound: &Bound) -> bool {
        let below = bound.below.selection.clone();
        let exact = self.consider(&below);
        if let Some(above) = &bound.above {
            self.consider(&above.selection);
            self.fill(below, &above.selection);
        }
        let is_close = |value: f64| (value - bound.value).abs() <= 1e-9 * value.abs();
        exact.is_some_and(is_close)
    }

    /// Remembers a plan that fits and is the best so far. Its value, if it fits.
    fn consider(&mut self, selection: &Selection) -> Option<f64> {
        let (bytes, time) = self.problem.evaluate(selection)?;
        if self.task.limit.is_some_and(|limit| bytes > limit) {
            return None;
        }
        let value = match self.task.aim {
            Aim::Time => time,
            Aim::Memory => bytes,
        };
        if self.best.as_ref().is_none_or(|(_, best)| value < *best) {
            self.best = Some((selection.clone(), value));
        }
        Some(value)
    }

    /// Takes over from a plan that needs more memory what still fits.
    fn fill(&mut self, mut plan: Selection, other: &Selection) {
        let Some(mut value) = self.consider(&plan) else {
            return;
        };
        let loops = (0..plan.loops.len()).filter(|&l| plan.loops[l] != other.loops[l]);
        let items = (0..plan.read.len()).filter(|&v| plan.read[v] != other.read[v]);
        let changes: Vec<(bool, usize)> = loops
            .map(|l| (true, l))
            .chain(items.map(|v| (false, v)))
            .collect();
        for (is_loop, at) in changes {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let mut next = plan.clone();
            match is_loop {
                true => next.loops[at] = other.loops[at],
                false => next.read[at] = other.read[at],
            }
            if let Some(found) = self.consider(&next)
                && found < value
            {
                (plan, value) = (next, found);
            }
        }
    }

    fn allowed(&self, decided: &[Decided]) -> Allowed {
        let mut allowed = Allowed::all(self.problem);
        let mut bar = |l: usize, is_barred: &dyn Fn(Option<Reversal>) -> bool| {
            allowed.split[l] &= !is_barred(None);
            for (k, choice) in self.problem.choices.iter().enumerate() {
                if choice.inner == l {
                    allowed.choices[k] &= !is_barred(Some(choice.reversal));
                }
            }
        };
        for decision in decided {
            match *decision {
                Decided::Only(l, only) => bar(l, &|reversal| reversal != only),
                Decided::Never(l, never) => bar(l, &|reversal| reversal == never),
                Decided::NeverRead(_) | Decided::NeverRun(_) => {}
            }
        }
        for decision in decided {
            match *decision {
                Decided::NeverRead(v) => allowed.read[v] = false,
                Decided::NeverRun(v) => allowed.run[v] = false,
                Decided::Only(..) | Decided::Never(..) => {}
            }
        }
        allowed
    }

    /// A decision both ways: first where the two plans differ, then on loops that decide whether a
    /// result can be read back at all. `None` where all is decided.
    fn branches(&self, bound: &Bound, allowed: &Allowed) -> Option<[Decided; 2]> {
        let below = &bound.below.selection;
        let above = bound.above.as_ref().map(|plan| &plan.selection);
        let is_open = |l: usize| {
            let mut ways = self.problem.reversals(l);
            ways.retain(|&way| {
                self.problem.choices.iter().enumerate().any(|(k, choice)| {
                    choice.inner == l && choice.reversal == way && allowed.choices[k]
                })
            });
            ways.len() + usize::from(allowed.split[l]) > 1
        };
        let both = |l: usize| {
            [
                Decided::Only(l, below.loops[l]),
                Decided::Never(l, below.loops[l]),
            ]
        };
        if let Some(above) = above {
            let loops = 0..below.loops.len();
            let differs = |&l: &usize| below.loops[l] != above.loops[l] && is_open(l);
            if let Some(l) = loops.into_iter().find(differs) {
                return Some(both(l));
            }
            let items = 0..below.read.len();
            let most = items
                .filter(|&v| below.read[v] != above.read[v])
                .filter(|&v| allowed.read[v] && allowed.run[v])
                .max_by(|&a, &b| {
                    let work = |v: usize| self.problem.items[v].work;
                    work(a).total_cmp(&work(b))
                });
            if let Some(v) = most {
                return Some([Decided::NeverRead(v), Decided::NeverRun(v)]);
            }
        }
        let plans = [Some(below), above];
        for plan in plans.into_iter().flatten() {
            for v in (0..plan.read.len()).filter(|&v| plan.read[v]) {
                let item = &self.problem.items[v];
                let around = item.between.iter().chain([&item.inner]);
                if let Some(&l) = around.into_iter().find(|&&l| is_open(l)) {
                    return Some(both(l));
                }
            }
        }
        (0..below.loops.len()).find(|&l| is_open(l)).map(both)
    }
}

fn most_promising(parts: &[Part]) -> Option<usize> {
    let bounds = parts.iter().enumerate();
    bounds
        .min_by(|(_, a), (_, b)| a.bound.total_cmp(&b.bound))
        .map(|(at, _)| at)
}
