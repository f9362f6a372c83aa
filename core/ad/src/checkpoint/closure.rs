//! The cheapest choice of things of which some entail others: a minimum cut.
//!
//! ```text
//! minimise   Σ weight·x        x = 0 or 1
//! subject to x[a] ≤ x[b]       a entails b
//! ```
//!
//! Picard's reduction (Management Science 22, 1976), solved with Dinic's algorithm. Weights are real
//! numbers, flows therefore rounded: the value that is returned is that of a flow, and so below the
//! optimum, never above it.

use std::collections::VecDeque;

/// A problem while it is built.
#[derive(Default)]
pub struct Closure {
    weights: Vec<f64>,
    forced: Vec<Option<bool>>,
    entailed: Vec<(usize, usize)>,
}

/// An optimum.
pub struct Cheapest {
    /// A bound below the sum of weights, as close as rounding allows.
    pub value: f64,
    /// What is chosen.
    pub chosen: Vec<bool>,
}

impl Closure {
    /// A thing that can be chosen.
    pub fn add(&mut self, weight: f64) -> usize {
        self.weights.push(weight);
        self.forced.push(None);
        self.weights.len() - 1
    }

    /// Whoever chooses `a` chooses `b`.
    pub fn entails(&mut self, a: usize, b: usize) {
        self.entailed.push((a, b));
    }

    /// Decides a thing beforehand.
    pub fn force(&mut self, a: usize, chosen: bool) {
        self.forced[a] = Some(chosen);
    }

    /// The cheapest choice; `None` where what is forced contradicts itself.
    pub fn solve(&self) -> Option<Cheapest> {
        let n = self.weights.len();
        let (source, sink) = (n, n + 1);
        let mut network = Network::with(n + 2);
        let mut negative = 0.0;
        for (a, &weight) in self.weights.iter().enumerate() {
            match weight < 0.0 {
                true => {
                    negative += weight;
                    network.edge(source, a, -weight);
                }
                false => network.edge(a, sink, weight),
            }
            match self.forced[a] {
                Some(true) => network.edge(source, a, f64::INFINITY),
                Some(false) => network.edge(a, sink, f64::INFINITY),
                None => {}
            }
        }
        for &(a, b) in &self.entailed {
            network.edge(a, b, f64::INFINITY);
        }
        let most = self.weights.iter().fold(0.0f64, |m, w| m.max(w.abs()));
        network.least = most * 1e-13;
        let flow = network.flow(source, sink)?;
        Some(Cheapest {
            value: negative + flow,
            chosen: network.levels(source)[..n]
                .iter()
                .map(Option::is_some)
                .collect(),
        })
    }
}

/// Edges in pairs: one, and its reverse right after it.
struct Network {
    from: Vec<Vec<usize>>,
    to: Vec<usize>,
    room: Vec<f64>,
    /// What is less counts as full.
    least: f64,
}

impl Network {
    fn with(nodes: usize) -> Self {
        Self {
            from: vec![Vec::new(); nodes],
            to: Vec::new(),
            room: Vec::new(),
            least: 0.0,
        }
    }

    fn edge(&mut self, a: usize, b: usize, room: f64) {
        self.from[a].push(self.to.len());
        self.to.push(b);
        self.room.push(room);
        self.from[b].push(self.to.len());
        self.to.push(a);
        self.room.push(0.0);
    }

    fn is_open(&self, edge: usize) -> bool {
        self.room[edge] > self.least
    }

    /// By node the edges between it and the source.
    fn levels(&self, source: usize) -> Vec<Option<usize>> {
        let mut levels = vec![None; self.from.len()];
        levels[source] = Some(0);
        let mut waiting = VecDeque::from([source]);
        while let Some(a) = waiting.pop_front() {
            for &edge in &self.from[a] {
                let b = self.to[edge];
                if self.is_open(edge) && levels[b].is_none() {
                    levels[b] = levels[a].map(|level: usize| level + 1);
                    waiting.push_back(b);
                }
            }
        }
        levels
    }

    /// The most that flows; `None` where nothing bounds it.
    fn flow(&mut self, source: usize, sink: usize) -> Option<f64> {
        let mut total = 0.0;
        loop {
            let levels = self.levels(source);
            if levels[sink].is_none() {
                return Some(total);
            }
            let mut next = vec![0; self.from.len()];
            while let Some(path) = self.path(source, sink, &levels, &mut next) {
                let most = path.iter().map(|&edge| self.room[edge]);
                let most = most.fold(f64::INFINITY, f64::min);
                if most.is_infinite() {
                    return None;
                }
                for &edge in &path {
                    self.room[edge] -= most;
                    self.room[edge ^ 1] += most;
                }
                total += most;
            }
        }
    }

    /// A way along the levels that has room; dead ends are left behind for good.
    fn path(
        &self,
        source: usize,
        sink: usize,
        levels: &[Option<usize>],
        next: &mut [usize],
    ) -> Option<Vec<usize>> {
        let mut path: Vec<usize> = Vec::new();
        loop {
            let at = path.last().map_or(source, |&edge| self.to[edge]);
            if at == sink {
                return Some(path);
            }
            let onwards = self.from[at][next[at]..].iter().position(|&edge| {
                self.is_open(edge) && levels[self.to[edge]] == levels[at].map(|level| level + 1)
            });
            match onwards {
                Some(skipped) => {
                    next[at] += skipped;
                    path.push(self.from[at][next[at]]);
                }
                None => {
                    next[at] = self.from[at].len();
                    let back = path.pop()?;
                    next[self.to[back ^ 1]] += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Closure;

    #[test]
    fn what_pays_together_is_chosen_together() {
        let mut closure = Closure::default();
        let gain = closure.add(-5.0);
        let price = closure.add(3.0);
        let loss = closure.add(-1.0);
        let dear = closure.add(4.0);
        closure.entails(gain, price);
        closure.entails(loss, dear);
        let found = closure.solve().unwrap();
        assert!((found.value + 2.0).abs() < 1e-12);
        assert_eq!(found.chosen, [true, true, false, false]);
    }

    #[test]
    fn what_is_forced_is_kept_or_contradicted() {
        let mut closure = Closure::default();
        let a = closure.add(1.0);
        let b = closure.add(1.0);
        closure.entails(a, b);
        closure.force(a, true);
        assert!((closure.solve().unwrap().value - 2.0).abs() < 1e-12);
        closure.force(b, false);
        assert!(closure.solve().is_none());
    }

    #[test]
    fn all_small_problems_agree_with_brute_force() {
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..200 {
            let n = 1 + below(8) as usize;
            let mut closure = Closure::default();
            for _ in 0..n {
                closure.add(below(21) as f64 - 10.0);
            }
            for _ in 0..below(12) {
                closure.entails(below(n as u64) as usize, below(n as u64) as usize);
            }
            let value = |bits: u32| -> Option<f64> {
                let on = |k: usize| bits >> k & 1 == 1;
                let holds = closure.entailed.iter().all(|&(a, b)| !on(a) || on(b));
                let chosen = (0..n).filter(|&k| on(k)).map(|k| closure.weights[k]);
                holds.then(|| chosen.sum())
            };
            let best = (0..1u32 << n).filter_map(value).fold(f64::MAX, f64::min);
            assert!((closure.solve().unwrap().value - best).abs() < 1e-9);
        }
    }
}
