//! The planner's problem without its limit: solved exactly, with a price on each byte.
//!
//! With a price for memory in place of the limit the loops decide for themselves. For a joint loop let
//! `A` be the loops inside it that are the first on their path not to be split. What they and all
//! inside them cost is a number of its own, found before (innermost loops first). Which loops are in
//! `A`, and which results the iteration reads back, is then a closure problem:
//!
//! ```text
//! free[q]    neither q nor a loop between q and the joint loop is in A      free[q] ≤ free[around q]
//! there[v]   v is read back or run again        free[q] ≤ there[v] for v that is used inside q
//! run[v]     it is run again                    run[v] ≤ there[v], run[v] ≤ there[operands of v]
//! ```
//!
//! One thing is relaxed: a result in a loop of `A` that others need may be counted as read back, which
//! it cannot be, unless that loop is known not to be split. The price that gives the best bound below
//! all plans within a limit is found by cutting planes in one dimension (Geoffrion, Lagrangean relaxation
//! for integer programming, 1974).

use std::collections::HashMap;

use super::closure::Closure;
use super::cost::Cost;
use super::decisions::Reversal;
use super::model::{Problem, Selection};
use super::solve::{Aim, Task};

/// The problem with its loops as a tree.
pub struct Forest<'p> {
    /// The problem.
    pub problem: &'p Problem,
    aim: Aim,
    choices: Vec<Vec<usize>>,
    items: Vec<Vec<usize>>,
    inside: Vec<Vec<usize>>,
    inner_first: Vec<usize>,
}

/// What branching has decided.
#[derive(Clone)]
pub struct Allowed {
    /// By loop, whether it may be split.
    pub split: Vec<bool>,
    /// By choice, whether it may be taken.
    pub choices: Vec<bool>,
    /// By item, whether it may be read back.
    pub read: Vec<bool>,
    /// By item, whether it may be run again.
    pub run: Vec<bool>,
}

/// A plan that is the best for some price.
#[derive(Clone)]
pub struct Priced {
    /// What is taken.
    pub selection: Selection,
    /// Bytes, as this problem counts.
    pub bytes: f64,
    /// What shall be small.
    pub aim: f64,
    value: f64,
}

/// The best bound, and the plans on both sides of the limit that meet there.
pub struct Bound {
    /// No plan within the limit is below.
    pub value: f64,
    /// The one that fits.
    pub below: Priced,
    /// The one that needs more; nothing where the limit does not matter.
    pub above: Option<Priced>,
}

#[derive(Clone, Copy)]
struct Prices {
    aim: f64,
    byte: f64,
}

/// The loops of a frame that are not split, and what the frame reads back.
#[derive(Clone, Default)]
struct Inside {
    value: f64,
    bytes: f64,
    aim: f64,
    taken: Vec<usize>,
    read: Vec<usize>,
}

#[derive(Default)]
struct Solved {
    /// By loop and parent: the value and the choice.
    best: HashMap<(usize, Option<usize>), (f64, usize)>,
    joint: HashMap<(usize, Option<usize>), Inside>,
    checkpointed: HashMap<usize, Inside>,
}

impl Allowed {
    /// Everything.
    pub fn all(problem: &Problem) -> Self {
        Self {
            split: vec![true; problem.loops.len()],
            choices: vec![true; problem.choices.len()],
            read: vec![true; problem.items.len()],
            run: vec![true; problem.items.len()],
        }
    }
}

impl<'p> Forest<'p> {
    /// Of a problem.
    pub fn of(problem: &'p Problem, aim: Aim) -> Self {
        let loops = problem.loops.len();
        let mut choices = vec![Vec::new(); loops];
        for (k, choice) in problem.choices.iter().enumerate() {
            choices[choice.inner].push(k);
        }
        let mut items = vec![Vec::new(); loops];
        for (v, item) in problem.items.iter().enumerate() {
            items[item.inner].push(v);
        }
        let mut inside = vec![Vec::new(); loops];
        for (l, info) in problem.loops.iter().enumerate() {
            for &q in &info.around {
                inside[q].push(l);
            }
        }
        let mut inner_first: Vec<usize> = (0..loops).collect();
        inner_first.sort_by_key(|&l| std::cmp::Reverse(problem.loops[l].around.len()));
        Self {
            problem,
            aim,
            choices,
            items,
            inside,
            inner_first,
        }
    }

    fn aim(&self, cost: &Cost) -> f64 {
        match self.aim {
            Aim::Time => cost.time(),
            Aim::Memory => cost.bytes,
        }
    }

    /// The best bound below all plans that fit; `None` where none can.
    pub fn bound(&self, task: &Task, allowed: &Allowed) -> Option<Bound> {
        let price = |byte: f64| Prices { aim: 1.0, byte };
        let free = self.cheapest(price(0.0), allowed)?;
        let fits = |plan: &Priced| {
            let limit = task.limit.unwrap_or(f64::INFINITY);
            plan.bytes <= limit + limit.abs() * 1e-12
        };
        if fits(&free) {
            let value = free.value;
            return Some(Bound {
                value,
                below: free,
                above: None,
            });
        }
        let limit = task.limit.unwrap_or(f64::INFINITY);
        let smallest = Prices {
            aim: 0.0,
            byte: 1.0,
        };
        let mut below = self.cheapest(smallest, allowed)?;
        if !fits(&below) {
            return None;
        }
        let mut above = free;
        let mut best = above.value;
        for _ in 0..MOST_PRICES {
            let byte = ((below.aim - above.aim) / (above.bytes - below.bytes)).max(0.0);
            let found = self.cheapest(price(byte), allowed)?;
            let value = found.value - byte * limit;
            best = best.max(value);
            let line = above.aim + byte * (above.bytes - limit);
            if value >= line - line.abs() * 1e-10 {
                break;
            }
            match fits(&found) {
                true => below = found,
                false => above = found,
            }
        }
        Some(Bound {
            value: best,
            below,
            above: Some(above),
        })
    }

    /// The plan that costs least at these prices; `None` where nothing is allowed.
    fn cheapest(&self, prices: Prices, allowed: &Allowed) -> Option<Priced> {
        let mut solved = Solved::default();
        for &l in &self.inner_first {
            self.solve_loop(l, prices, allowed, &mut solved);
        }
        let all: Vec<usize> = (0..self.problem.loops.len()).collect();
        let whole = self.frame(None, &all, &[], None, prices, allowed, &solved)?;
        let mut selection = self.problem.nothing();
        let split = &self.problem.split;
        let (mut bytes, mut aim) = (split.bytes, self.aim(split));
        let mut waiting = vec![(None, &whole)];
        while let Some((frame, inside)) = waiting.pop() {
            bytes += inside.bytes;
            aim += inside.aim;
            for &v in &inside.read {
                selection.read[v] = true;
            }
            for &l in &inside.taken {
                let (_, choice) = solved.best[&(l, frame)];
                let choice = &self.problem.choices[choice];
                selection.loops[l] = Some(choice.reversal);
                bytes += choice.cost.bytes;
                aim += self.aim(&choice.cost);
                let below = match choice.reversal {
                    Reversal::Joint => &solved.joint[&(l, frame)],
                    _ => &solved.checkpointed[&l],
                };
                waiting.push((Some(l), below));
            }
        }
        let split = prices.aim * self.aim(split) + prices.byte * split.bytes;
        Some(Priced {
            selection,
            bytes,
            aim,
            value: split + whole.value,
        })
    }

    fn solve_loop(&self, l: usize, prices: Prices, allowed: &Allowed, solved: &mut Solved) {
        for &k in &self.choices[l] {
            let choice = &self.problem.choices[k];
            if !allowed.choices[k] {
                continue;
            }
            let inside = match choice.reversal {
                Reversal::Joint => {
                    let key = (l, choice.parent);
                    if !solved.joint.contains_key(&key) {
                        let items = &self.items[l];
                        let (loops, parent) = (&self.inside[l], choice.parent);
                        let found =
                            self.frame(Some(l), loops, items, parent, prices, allowed, solved);
                        let Some(found) = found else { continue };
                        solved.joint.insert(key, found);
                    }
                    solved.joint[&key].value
                }
                _ => {
                    if !solved.checkpointed.contains_key(&l) {
                        let loops = &self.inside[l];
                        let found = self.frame(Some(l), loops, &[], None, prices, allowed, solved);
                        let Some(found) = found else { continue };
                        solved.checkpointed.insert(l, found);
                    }
                    solved.checkpointed[&l].value
                }
            };
            let own = prices.aim * self.aim(&choice.cost) + prices.byte * choice.cost.bytes;
            let value = own + inside;
            let key = (l, choice.parent);
            let is_better = solved.best.get(&key).is_none_or(|&(old, _)| value < old);
            if is_better {
                solved.best.insert(key, (value, k));
            }
        }
    }

    /// The loops inside a frame and what it reads back. `parent` is the innermost joint loop around it.
    #[allow(clippy::too_many_arguments)]
    fn frame(
        &self,
        frame: Option<usize>,
        loops: &[usize],
        items: &[usize],
        parent: Option<usize>,
        prices: Prices,
        allowed: &Allowed,
        solved: &Solved,
    ) -> Option<Inside> {
        let price = |cost: &Cost| prices.aim * self.aim(cost) + prices.byte * cost.bytes;
        let mut closure = Closure::default();
        let mut constant = 0.0;
        let mut free: HashMap<usize, usize> = HashMap::new();
        let mut weights: HashMap<usize, f64> = HashMap::new();
        let around = |q: usize| {
            let outer = self.problem.loops[q].around.first().copied();
            outer.filter(|&outer| Some(outer) != frame)
        };
        for &q in loops {
            let Some(&(value, _)) = solved.best.get(&(q, frame)) else {
                continue;
            };
            *weights.entry(q).or_default() -= value;
            match around(q) {
                Some(outer) => *weights.entry(outer).or_default() += value,
                None => constant += value,
            }
        }
        for &q in loops {
            free.insert(q, closure.add(weights.get(&q).copied().unwrap_or(0.0)));
        }
        for &q in loops {
            let may_be_taken = solved.best.contains_key(&(q, frame));
            if !allowed.split[q] {
                closure.force(free[&q], false);
            }
            match around(q) {
                Some(outer) => {
                    closure.entails(free[&q], free[&outer]);
                    if !may_be_taken {
                        closure.entails(free[&outer], free[&q]);
                    }
                }
                None if !may_be_taken && allowed.split[q] => closure.force(free[&q], true),
                None if !may_be_taken => return None,
                None => {}
            }
        }
        let mut there: HashMap<usize, usize> = HashMap::new();
        let mut run: HashMap<usize, usize> = HashMap::new();
        let mut stores: HashMap<usize, &Cost> = HashMap::new();
        for &v in items {
            let item = &self.problem.items[v];
            let store = item.stores.iter().find(|(p, _)| *p == parent);
            let store = store.map(|(_, cost)| cost).filter(|_| {
                let is_dead = item.between.iter().any(|&q| !allowed.split[q]);
                allowed.read[v] && !is_dead
            });
            let work = price(&self.work(v));
            match store {
                Some(cost) => {
                    stores.insert(v, cost);
                    there.insert(v, closure.add(price(cost)));
                    run.insert(v, closure.add(work - price(cost)));
                    closure.entails(run[&v], there[&v]);
                }
                None => {
                    there.insert(v, closure.add(work));
                    run.insert(v, there[&v]);
                }
            }
            if !allowed.run[v] {
                closure.force(run[&v], false);
            }
        }
        for &v in items {
            let item = &self.problem.items[v];
            for &operand in item.operands.iter().filter(|&&operand| operand != v) {
                closure.entails(run[&v], there[&operand]);
            }
            let depth = |q: &&usize| self.problem.loops[**q].around.len();
            match item.between.iter().max_by_key(depth) {
                _ if !item.needed => {}
                Some(q) => closure.entails(free[q], there[&v]),
                // Forcing does not add up: what must not be run and cannot be read back has no plan.
                None if run[&v] == there[&v] && !allowed.run[v] => return None,
                None => closure.force(there[&v], true),
            }
        }
        let found = closure.solve()?;
        let mut inside = Inside {
            value: constant + found.value,
            ..Inside::default()
        };
        let is_free = |q: usize| found.chosen[free[&q]];
        for &q in loops {
            if !is_free(q) && around(q).is_none_or(is_free) {
                inside.taken.push(q);
            }
        }
        for &v in items.iter().filter(|&&v| found.chosen[there[&v]]) {
            let cost = match (found.chosen[run[&v]], stores.get(&v)) {
                (false, Some(cost)) => {
                    inside.read.push(v);
                    **cost
                }
                _ => self.work(v),
            };
            inside.bytes += cost.bytes;
            inside.aim += self.aim(&cost);
        }
        Some(inside)
    }

    fn work(&self, v: usize) -> Cost {
        Cost {
            work: self.problem.items[v].work,
            ..Cost::default()
        }
    }
}

/// How many prices are tried at most.
const MOST_PRICES: usize = 100;
