//! Which node of a graph every way to another passes, after K. Cooper, T. Harvey and K. Kennedy
//! (A simple, fast dominance algorithm, 2001); and the loops of a reducible graph.

use std::collections::{BTreeMap, BTreeSet};

/// The dominator tree of the nodes that node 0 reaches.
pub(super) struct Dominators {
    /// The nodes in reverse postorder: jumps ahead go to later ones.
    pub order: Vec<usize>,
    /// The parent of each node; of the first one, itself.
    pub parent: Vec<usize>,
    /// The place of each node in `order`.
    rank: Vec<usize>,
    predecessors: Vec<Vec<usize>>,
}

impl Dominators {
    pub(super) fn of(successors: &[Vec<usize>]) -> Self {
        let order = reverse_postorder(successors);
        let mut rank = vec![usize::MAX; successors.len()];
        for (place, &node) in order.iter().enumerate() {
            rank[node] = place;
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for &node in &order {
            for &next in &successors[node] {
                predecessors[next].push(node);
            }
        }
        let mut found = Self {
            parent: vec![usize::MAX; successors.len()],
            order,
            rank,
            predecessors,
        };
        found.parent[0] = 0;
        while found.improve() {}
        found
    }

    fn improve(&mut self) -> bool {
        let mut changed = false;
        for place in 1..self.order.len() {
            let node = self.order[place];
            let known = self.predecessors[node]
                .iter()
                .copied()
                .filter(|&before| self.parent[before] != usize::MAX);
            let parent = known.reduce(|a, b| self.common(a, b));
            let parent = parent.expect("reverse postorder visits one predecessor before");
            changed |= self.parent[node] != parent;
            self.parent[node] = parent;
        }
        changed
    }

    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.rank[a] > self.rank[b] {
                a = self.parent[a];
            } else {
                b = self.parent[b];
            }
        }
        a
    }

    fn dominates(&self, above: usize, mut node: usize) -> bool {
        while self.rank[node] > self.rank[above] {
            node = self.parent[node];
        }
        node == above
    }

    /// The nodes of each loop by the node that begins it, itself included.
    pub(super) fn loops(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut loops: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for &header in &self.order {
            let back = self.predecessors[header]
                .iter()
                .copied()
                .filter(|&node| self.dominates(header, node));
            let mut pending: Vec<usize> = back.collect();
            if pending.is_empty() {
                continue;
            }
            let mut members = BTreeSet::from([header]);
            while let Some(node) = pending.pop() {
                if members.insert(node) {
                    pending.extend(&self.predecessors[node]);
                }
            }
            loops.insert(header, members);
        }
        loops
    }
}

/// Depth first, with the stack on the heap.
fn reverse_postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; successors.len()];
    let mut open = vec![(0, 0)];
    seen[0] = true;
    while let Some((node, at)) = open.last_mut() {
        // The last successor first, so that what stands first in the source comes first here.
        match successors[*node].iter().rev().nth(*at) {
            Some(&next) => {
                *at += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    open.push((next, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}
