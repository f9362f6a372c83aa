//! Finds cycles that are entered in more than one place.

use std::collections::BTreeSet;

/// The entries of an irreducible cycle of the part that node 0 reaches, if there is one. Node 0
/// has no predecessor.
pub(super) fn cycle_with_entries(successors: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut edges: Vec<Vec<usize>> = successors.to_vec();
    let reached = reached(successors);
    let mut predecessors = vec![Vec::new(); successors.len()];
    for &node in &reached {
        for &next in &successors[node] {
            predecessors[next].push(node);
        }
    }
    let mut pending = vec![reached];
    while let Some(part) = pending.pop() {
        for cycle in components(&edges, &part) {
            let entries: Vec<usize> = cycle
                .iter()
                .copied()
                .filter(|&node| predecessors[node].iter().any(|p| !cycle.contains(p)))
                .collect();
            let [header] = entries.as_slice() else {
                return Some(entries);
            };
            for &node in &cycle {
                edges[node].retain(|next| next != header);
            }
            pending.push(cycle);
        }
    }
    None
}

fn reached(successors: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut pending = vec![0];
    while let Some(node) = pending.pop() {
        if found.insert(node) {
            pending.extend(&successors[node]);
        }
    }
    found
}

/// The strongly connected components with a cycle, after R. Tarjan (1972), within `part`.
fn components(edges: &[Vec<usize>], part: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    let mut search = Search {
        edges,
        part,
        index: vec![usize::MAX; edges.len()],
        low: vec![0; edges.len()],
        is_open: vec![false; edges.len()],
        open: Vec::new(),
        found: Vec::new(),
        next: 0,
    };
    for &node in part {
        if search.index[node] == usize::MAX {
            search.from(node);
        }
    }
    search.found
}

struct Search<'e> {
    edges: &'e [Vec<usize>],
    part: &'e BTreeSet<usize>,
    index: Vec<usize>,
    low: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    found: Vec<BTreeSet<usize>>,
    next: usize,
}

impl Search<'_> {
    fn from(&mut self, root: usize) {
        let mut way = vec![(root, 0)];
        self.enter(root);
        while let Some((node, at)) = way.last_mut() {
            let node = *node;
            match self.edges[node].get(*at) {
                Some(&next) => {
                    *at += 1;
                    if !self.part.contains(&next) {
                        continue;
                    }
                    if self.index[next] == usize::MAX {
                        self.enter(next);
                        way.push((next, 0));
                    } else if self.is_open[next] {
                        self.low[node] = self.low[node].min(self.index[next]);
                    }
                }
                None => {
                    way.pop();
                    if let Some(&(before, _)) = way.last() {
                        self.low[before] = self.low[before].min(self.low[node]);
                    }
                    if self.low[node] == self.index[node] {
                        self.leave(node);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.index[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.open.push(node);
        self.is_open[node] = true;
    }

    fn leave(&mut self, root: usize) {
        let mut component = BTreeSet::new();
        while let Some(node) = self.open.pop() {
            self.is_open[node] = false;
            component.insert(node);
            if node == root {
                break;
            }
        }
        if component.len() > 1 || self.edges[root].contains(&root) {
            self.found.push(component);
        }
    }
}
