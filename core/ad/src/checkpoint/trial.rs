//! Problems drawn at random: for tests of the solver, and for measuring how fast it is.

use std::time::Instant;

use super::cost::Cost;
use super::decisions::{Reversal, Schedule};
use super::model::{Choice, Item, LoopInfo, Problem};
use super::solve::{Aim, Task, optimal};

/// How the solver did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// Loops that could be joint.
    pub loops: usize,
    /// Results that could be read back.
    pub items: usize,
    /// Seconds that it took.
    pub seconds: f64,
    /// How far from the optimum the plan may be, relative to it; nothing where no plan was found or
    /// no bound proven.
    pub gap: Option<f64>,
    /// Whether a plan was found.
    pub is_feasible: bool,
}

/// How the loops of a drawn program lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Many loop nests after one another.
    Wide,
    /// One loop around all others.
    Deep,
}

/// Solves a drawn problem of so many results. `share` is the memory limit as a part of what keeping
/// everything takes.
pub fn solve(seed: u64, items: usize, shape: Shape, share: f64, seconds: f64, gap: f64) -> Trial {
    let problem = large(seed, items, shape);
    let task = Task {
        limit: Some(share * problem.split.bytes),
        aim: Aim::Time,
        seconds,
        gap,
    };
    let began = Instant::now();
    let answer = optimal(&problem, &task);
    Trial {
        loops: problem.loops.len(),
        items,
        seconds: began.elapsed().as_secs_f64(),
        gap: answer.as_ref().and_then(|answer| answer.gap),
        is_feasible: answer.is_some(),
    }
}

pub(super) struct Random(pub u64);

impl Random {
    pub fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A program of loop nests with about five results in each loop. A joint loop saves most of its tape
/// and pays with its work; some may have snapshots of a few iterations.
pub(super) fn large(seed: u64, items: usize, shape: Shape) -> Problem {
    let mut random = Random::of(seed);
    let mut problem = Problem::default();
    let loops = (items / 5).max(1);
    for l in 0..loops {
        let parent = match shape {
            _ if l == 0 => None,
            Shape::Deep if problem.loops.len() < 2 => Some(0),
            Shape::Deep => Some(random.below(l)),
            Shape::Wide => (l % 4 != 0).then(|| l - 1 - random.below(l % 4)),
        };
        let parent = parent.filter(|&p| problem.loops[p].around.len() < 4);
        let parent = parent.or((shape == Shape::Deep && l > 0).then_some(0));
        let around: Vec<usize> = parent
            .into_iter()
            .flat_map(|p| std::iter::once(p).chain(problem.loops[p].around.clone()))
            .collect();
        let tape = (1 + random.below(1000)) as f64 * 8.0;
        problem.split.bytes += tape;
        problem.split.traffic += tape * 12.0;
        problem.loops.push(LoopInfo {
            id: None,
            around: around.clone(),
        });
        let kept = tape * (1 + random.below(30)) as f64 / 100.0;
        let cost = |kept: f64, byte: f64, work: f64| Cost {
            bytes: kept - tape,
            traffic: kept * byte - tape * 12.0,
            work,
        };
        let work = tape * random.below(20) as f64;
        for parent in std::iter::once(None).chain(around.iter().copied().map(Some)) {
            let byte = if parent.is_some() { 3.0 } else { 12.0 };
            problem.choices.push(Choice {
                inner: l,
                parent,
                reversal: Reversal::Joint,
                cost: cost(kept, byte, work),
            });
        }
        if random.below(3) == 0 {
            for slots in [1u32, 3, 8] {
                let part = kept * f64::from(slots) / 20.0;
                problem.choices.push(Choice {
                    inner: l,
                    parent: None,
                    reversal: Reversal::Checkpointed(Schedule::Binomial { slots }),
                    cost: cost(part, 12.0, work + tape * 60.0 / f64::from(slots)),
                });
            }
        }
    }
    for v in 0..items {
        let inner = v % loops;
        let own: Vec<usize> = (inner..v).step_by(loops).collect();
        let mut operands: Vec<usize> = own.into_iter().rev().take(3).collect();
        operands.retain(|_| random.below(3) > 0);
        let tape = (1 + random.below(300)) as f64 * 8.0;
        let parents =
            std::iter::once(None).chain(problem.loops[inner].around.clone().into_iter().map(Some));
        let stores = parents
            .map(|parent| {
                let byte = if parent.is_some() { 3.0 } else { 12.0 };
                let cost = Cost {
                    bytes: tape,
                    traffic: tape * byte,
                    work: 0.0,
                };
                (parent, cost)
            })
            .collect();
        problem.items.push(Item {
            stmt: None,
            inner,
            between: Vec::new(),
            needed: random.below(2) == 0,
            operands,
            work: tape * random.below(40) as f64,
            stores,
        });
    }
    problem
}
