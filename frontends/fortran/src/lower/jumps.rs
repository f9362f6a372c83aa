//! Which lists of statements cannot be nested: those with jumps into constructs.
//!
//! A label is seen from the list of statements that it stands in and from all lists inside. A jump
//! from elsewhere makes the innermost list around both a graph of pieces, in which the constructs
//! around the label are taken apart (see `pieces`).

use super::Lowerer;
use crate::syntax::blocks::{Construct, Node};
use crate::syntax::{DoControl, Kind};
use std::collections::{HashMap, HashSet};

/// What the jumps of a procedure ask for.
#[derive(Default)]
pub(super) struct Jumps {
    /// Lists of statements that are graphs, by their first statement.
    graphs: HashSet<usize>,
    /// Constructs that are jumped into, by their first statement.
    entered: HashSet<usize>,
    /// The labels that ASSIGN statements name.
    pub(super) assigned: Vec<u32>,
}

impl Jumps {
    /// Whether the statements are to be lowered as pieces.
    pub(super) fn is_graph(&self, nodes: &[Node]) -> bool {
        nodes
            .first()
            .is_some_and(|node| self.graphs.contains(&node.first()))
    }

    /// Whether a jump from outside leads into the construct.
    pub(super) fn enters(&self, construct: &Construct) -> bool {
        self.entered.contains(&construct.arms[0].head)
    }
}

/// A list of statements.
struct List {
    first: usize,
    /// The list that its construct stands in.
    parent: usize,
    /// Its construct.
    head: usize,
    depth: usize,
}

#[derive(Default)]
struct Survey {
    lists: Vec<List>,
    labels: HashMap<u32, usize>,
    jumps: Vec<(usize, u32)>,
    /// Labels that end a pass, with their loop.
    passes: Vec<(u32, usize)>,
}

impl Lowerer<'_> {
    /// Looks at all jumps of the body.
    pub(super) fn survey_jumps(&self, body: &[Node]) -> Jumps {
        let mut jumps = Jumps {
            assigned: self.assigned_labels(body),
            ..Jumps::default()
        };
        let survey = self.survey(body, &jumps.assigned);
        for &(from, label) in &survey.jumps {
            let Some(&target) = survey.labels.get(&label) else {
                continue;
            };
            let common = survey.common(from, target);
            if common == target {
                continue;
            }
            let entered = survey.heads(target, common);
            if entered.iter().all(|&head| self.can_be_entered(head)) {
                jumps.graphs.insert(survey.lists[common].first);
                jumps.entered.extend(entered);
            }
        }
        jumps
    }

    fn can_be_entered(&self, head: usize) -> bool {
        match self.kind_at(head) {
            Kind::IfThen(_) | Kind::SelectCase(_) => true,
            Kind::Do { control, .. } => !matches!(control, DoControl::Concurrent(_)),
            _ => false,
        }
    }

    fn assigned_labels(&self, body: &[Node]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut pending: Vec<&Node> = body.iter().rev().collect();
        while let Some(node) = pending.pop() {
            match node {
                Node::Simple(index) => {
                    let mut kind = self.kind_at(*index);
                    while let Kind::If { action, .. } = kind {
                        kind = action;
                    }
                    if let Kind::Assign { label, .. } = kind
                        && let Ok(label) = self.statement_at(*index).part(*label).parse()
                        && !found.contains(&label)
                    {
                        found.push(label);
                    }
                }
                Node::Construct(construct) => {
                    for arm in construct.arms.iter().rev() {
                        pending.extend(arm.body.iter().rev());
                    }
                }
            }
        }
        found
    }

    fn survey(&self, body: &[Node], assigned: &[u32]) -> Survey {
        let mut survey = Survey::default();
        let mut pending: Vec<(&[Node], usize, usize, usize)> = vec![(body, 0, usize::MAX, 0)];
        while let Some((nodes, parent, head, depth)) = pending.pop() {
            let list = survey.lists.len();
            survey.lists.push(List {
                first: nodes.first().map_or(usize::MAX, Node::first),
                parent,
                head,
                depth,
            });
            for node in nodes {
                self.note_label(node.first(), list, &mut survey);
                match node {
                    Node::Simple(index) => {
                        let mut labels = Vec::new();
                        self.jumps_of(*index, self.kind_at(*index), assigned, &mut labels);
                        let jumps = labels.into_iter().map(|label| (list, label));
                        survey.jumps.extend(jumps);
                    }
                    Node::Construct(construct) => {
                        let head = construct.arms[0].head;
                        if self.label_behind(construct).is_some() {
                            self.note_label(construct.end, list, &mut survey);
                        }
                        for arm in &construct.arms {
                            pending.push((&arm.body, list, head, depth + 1));
                        }
                        if let Some(label) = self.label_of_pass(construct) {
                            survey.passes.push((label, head));
                        }
                    }
                }
            }
        }
        survey.resolve_passes();
        survey
    }

    fn note_label(&self, statement: usize, list: usize, survey: &mut Survey) {
        if let Some(label) = self.statement_at(statement).label {
            survey.labels.insert(label, list);
        }
    }

    /// The label on the END of a loop: it ends the pass.
    pub(super) fn label_of_pass(&self, construct: &Construct) -> Option<u32> {
        let is_loop = matches!(self.kind_at(construct.arms[0].head), Kind::Do { .. });
        let has_end = matches!(self.kind_at(construct.end), Kind::End(_));
        self.statement_at(construct.end)
            .label
            .filter(|_| is_loop && has_end)
    }

    /// The label on the END of another construct: it goes on behind it.
    pub(super) fn label_behind(&self, construct: &Construct) -> Option<u32> {
        let is_loop = matches!(self.kind_at(construct.arms[0].head), Kind::Do { .. });
        let has_end = matches!(self.kind_at(construct.end), Kind::End(_));
        self.statement_at(construct.end)
            .label
            .filter(|_| !is_loop && has_end)
    }
}

impl Survey {
    /// Labels that end a pass stand in the list of their loop.
    fn resolve_passes(&mut self) {
        let lists = self.lists.iter().enumerate();
        let lists: HashMap<usize, usize> = lists.map(|(list, of)| (of.head, list)).collect();
        for (label, head) in &self.passes {
            self.labels.insert(*label, lists[head]);
        }
    }

    /// The innermost list around both.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.lists[a].depth >= self.lists[b].depth {
                a = self.lists[a].parent;
            } else {
                b = self.lists[b].parent;
            }
        }
        a
    }

    /// The constructs around a list, up to an outer one.
    fn heads(&self, mut list: usize, outer: usize) -> Vec<usize> {
        let mut heads = Vec::new();
        while list != outer {
            heads.push(self.lists[list].head);
            list = self.lists[list].parent;
        }
        heads
    }
}
