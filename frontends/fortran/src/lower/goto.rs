//! GOTO: statement labels of one block become labelled blocks (jumps ahead) and endless loops
//! (jumps back), so that what is left are jumps outwards, which [`contraflow_ir::structure`]
//! removes. Where that is not possible, because of a jump into a loop or another construct, the
//! statements between labels become the pieces of a graph (`pieces`).
//!
//! For a block with nodes `0..n`, a label at node `t` and jumps to it from nodes `S`: the jumps
//! ahead (`s < t`) want an interval `[min S, t)` that they leave; the jumps back (`s ≥ t`) an
//! interval `[t, max S + 1)` that they start again. Intervals that cross are widened until they
//! nest: the start of the first kind may move up, the end of the second kind down.

use super::{Fallible, Lowerer, refuse};
use crate::syntax::Kind;
use crate::syntax::blocks::Node;
use crate::syntax::scan::commas;
use crate::view::Slice;
use contraflow_ir::{BinaryOp, CaseArm, CaseLabel, Directive, Jump, Stmt, StmtId, Type};
use std::collections::{BTreeMap, HashSet};

/// A statement label that can be jumped to from here.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) label: u32,
    pub(super) jump: Jump,
}

/// What an interval of nodes is.
#[derive(Clone)]
enum Shape {
    /// Left by jumps ahead.
    Ahead(u32),
    /// Started again by jumps back.
    Back(u32),
    /// A directive's block.
    Region(Box<Directive>),
}

#[derive(Clone)]
struct Interval {
    start: usize,
    end: usize,
    shape: Shape,
}

impl Lowerer<'_> {
    /// Statements in order.
    pub(super) fn nodes(&mut self, nodes: &[Node]) {
        self.nodes_until(nodes, None);
    }

    /// Statements in order; `end_label` is a label on the statement after them.
    pub(super) fn nodes_until(&mut self, nodes: &[Node], end_label: Option<u32>) {
        if self.jumps.is_graph(nodes) {
            return self.pieces(nodes, end_label);
        }
        let mut intervals = self.jump_intervals(nodes, end_label);
        intervals.extend(self.region_intervals(nodes));
        if intervals.is_empty() {
            for node in nodes {
                self.node(node);
            }
            return;
        }
        match nest(intervals) {
            Some(intervals) => self.range(nodes, 0, nodes.len(), &intervals),
            None => self.pieces(nodes, end_label),
        }
    }

    fn region_intervals(&self, nodes: &[Node]) -> Vec<Interval> {
        self.regions(nodes)
            .into_iter()
            .map(|(start, end, directive)| Interval {
                start,
                end,
                shape: Shape::Region(directive),
            })
            .collect()
    }

    fn jump_intervals(&self, nodes: &[Node], end_label: Option<u32>) -> Vec<Interval> {
        let mut places: BTreeMap<u32, usize> = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate() {
            if let Some(label) = self.statement_at(node.first()).label {
                places.insert(label, index);
            }
            if let Node::Construct(construct) = node
                && let Some(label) = self.label_behind(construct)
            {
                places.insert(label, index + 1);
            }
        }
        if let Some(label) = end_label {
            places.insert(label, nodes.len());
        }
        if places.is_empty() {
            return Vec::new();
        }
        let mut ahead: BTreeMap<u32, usize> = BTreeMap::new();
        let mut back: BTreeMap<u32, usize> = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate() {
            for label in self.jumps_in(node) {
                match places.get(&label) {
                    Some(&place) if index < place => {
                        ahead.entry(label).or_insert(index);
                    }
                    Some(_) => {
                        back.insert(label, index);
                    }
                    None => {}
                }
            }
        }
        let ahead = ahead.into_iter().map(|(label, start)| Interval {
            start,
            end: places[&label],
            shape: Shape::Ahead(label),
        });
        let back = back.into_iter().map(|(label, last)| Interval {
            start: places[&label],
            end: last + 1,
            shape: Shape::Back(label),
        });
        ahead.chain(back).collect()
    }

    /// Whether some of the nodes jump to a label in others.
    pub(super) fn jumps_between(&self, from: &[Node], to: &[Node]) -> bool {
        let labels: HashSet<u32> = from.iter().flat_map(|node| self.jumps_in(node)).collect();
        let mut pending: Vec<&Node> = to.iter().collect();
        while let Some(node) = pending.pop() {
            let label = |statement: usize| self.statement_at(statement).label;
            let is_target = |found: Option<u32>| found.is_some_and(|label| labels.contains(&label));
            if is_target(label(node.first())) || is_target(label(node.last())) {
                return true;
            }
            if let Node::Construct(construct) = node {
                pending.extend(construct.arms.iter().flat_map(|arm| &arm.body));
            }
        }
        false
    }

    /// The labels that a node jumps to.
    fn jumps_in(&self, node: &Node) -> Vec<u32> {
        let mut found = Vec::new();
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            match node {
                Node::Simple(index) => {
                    let assigned = &self.jumps.assigned;
                    self.jumps_of(*index, self.kind_at(*index), assigned, &mut found);
                }
                Node::Construct(construct) => {
                    pending.extend(construct.arms.iter().flat_map(|arm| &arm.body));
                }
            }
        }
        found
    }

    /// The labels that a statement may jump to; `assigned` are those that ASSIGN names.
    pub(super) fn jumps_of(
        &self,
        index: usize,
        kind: &Kind,
        assigned: &[u32],
        found: &mut Vec<u32>,
    ) {
        match kind {
            Kind::AssignedGoto { labels, .. } if labels.is_empty() => found.extend(assigned),
            Kind::Goto(labels)
            | Kind::ComputedGoto { labels, .. }
            | Kind::AssignedGoto { labels, .. }
            | Kind::ArithmeticIf { labels, .. } => {
                let text = self.statement_at(index).part(*labels);
                found.extend(
                    text.split(',')
                        .filter_map(|label| label.parse::<u32>().ok()),
                );
            }
            Kind::Io { control, .. } => {
                let statement = self.statement_at(index);
                let parts = commas(statement.text.as_bytes(), *control).into_iter();
                let jumps = parts.filter_map(|part| super::io::jump_of(statement.part(part)));
                found.extend(jumps.map(|(_, label)| label));
            }
            Kind::If { action, .. } => self.jumps_of(index, action, assigned, found),
            Kind::Call { arguments, .. } => {
                let statement = self.statement_at(index);
                let parts = commas(statement.text.as_bytes(), *arguments).into_iter();
                let labels = parts.filter_map(|part| {
                    let label = statement.part(part).trim().strip_prefix('*')?;
                    label.trim().parse::<u32>().ok()
                });
                found.extend(labels);
            }
            _ => {}
        }
    }

    /// Lowers nodes `start..end` with the intervals that lie in them, outermost first.
    fn range(&mut self, nodes: &[Node], start: usize, end: usize, intervals: &[Interval]) {
        let mut at = start;
        let mut rest = intervals;
        while let Some((interval, others)) = rest.split_first() {
            while at < interval.start {
                self.node(&nodes[at]);
                at += 1;
            }
            let inside = others
                .partition_point(|inner| inner.start < interval.end && inner.end <= interval.end);
            let (inner, after) = others.split_at(inside);
            self.interval(nodes, interval, inner);
            at = interval.end;
            rest = after;
        }
        while at < end {
            self.node(&nodes[at]);
            at += 1;
        }
    }

    fn interval(&mut self, nodes: &[Node], interval: &Interval, inner: &[Interval]) {
        let outer = std::mem::take(&mut self.out);
        let (start, end) = (interval.start, interval.end);
        let stmt = match &interval.shape {
            Shape::Ahead(label) => {
                let jump = self.label();
                self.inside(*label, Jump::Exit(jump), |l| {
                    l.range(nodes, start, end, inner)
                });
                let body = std::mem::take(&mut self.out);
                Stmt::Labelled { label: jump, body }
            }
            Shape::Back(label) => {
                let jump = self.label();
                self.inside(*label, Jump::Cycle(jump), |l| {
                    l.range(nodes, start, end, inner)
                });
                self.emit(Stmt::Jump(Jump::Exit(jump)));
                let body = std::mem::take(&mut self.out);
                self.span = self.statement_at(nodes[start].first()).place();
                let condition = self.build().logical(true);
                Stmt::While {
                    condition,
                    body,
                    label: Some(jump),
                }
            }
            Shape::Region(directive) => {
                self.range(nodes, start, end, inner);
                Stmt::Region {
                    directive: directive.clone(),
                    body: std::mem::take(&mut self.out),
                }
            }
        };
        self.out = outer;
        self.emit(stmt);
    }

    fn inside(&mut self, label: u32, jump: Jump, f: impl FnOnce(&mut Self)) {
        self.goto_targets.push(Target { label, jump });
        f(self);
        self.goto_targets.pop();
    }

    /// The jump to a statement label.
    fn jump_to(&self, label: u32) -> Fallible<Jump> {
        let target = self.goto_targets.iter().rev().find(|t| t.label == label);
        match target {
            Some(target) => Ok(target.jump),
            None => refuse(format!(
                "a jump to {label}, which is not around or after it"
            )),
        }
    }

    pub(super) fn jump_statement(&mut self, label: u32) -> Fallible<StmtId> {
        let jump = self.jump_to(label)?;
        Ok(self.build().stmt(Stmt::Jump(jump)))
    }

    /// `GO TO label`
    pub(super) fn goto(&mut self, label: Slice) -> Fallible<()> {
        let text = self.statement_at(self.statement).part(label);
        let Ok(label) = text.parse() else {
            return refuse("a label that is no number");
        };
        let jump = self.jump_statement(label)?;
        self.out.push(jump);
        Ok(())
    }

    fn label_list(&self, labels: Slice) -> Fallible<Vec<u32>> {
        let text = self.statement_at(self.statement).part(labels);
        let labels: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
        labels.or_else(|_| refuse("a label that is no number"))
    }

    /// `GO TO (10, 20) i`
    pub(super) fn computed_goto(&mut self, labels: Slice, selector: Slice) -> Fallible<()> {
        let labels = self.label_list(labels)?;
        let tree = self.parse(&[selector])?;
        let selector = self.only(&tree, 0)?;
        let selector = self.scalar(selector)?;
        let ty = self.type_of(selector);
        if !ty.is_integer() {
            return refuse("a computed GOTO on a value that is no integer");
        }
        let mut arms = Vec::new();
        for (position, label) in labels.into_iter().enumerate() {
            let jump = self.jump_statement(label)?;
            let value = self.build().int_of(position as i128 + 1, ty);
            arms.push(CaseArm {
                labels: vec![CaseLabel::Value(value)],
                body: vec![jump],
            });
        }
        self.emit(Stmt::Switch {
            selector,
            arms,
            default: Vec::new(),
        });
        Ok(())
    }

    /// `ASSIGN 10 TO next`: the variable holds the number of the label.
    pub(super) fn assign_label(&mut self, label: Slice, variable: Slice) -> Fallible<()> {
        let [label] = self.label_list(label)?[..] else {
            return refuse("ASSIGN of other than one label");
        };
        if self.format_text(label).is_some() {
            return refuse("ASSIGN of the label of a FORMAT");
        }
        let (place, ty) = self.label_variable(variable)?;
        let value = self.build().int_of(label.into(), ty);
        let assigned = self.build().assign(place, value);
        self.out.push(assigned);
        Ok(())
    }

    /// `GO TO next, (10, 20)`; without a list, all labels that are assigned to anything.
    pub(super) fn assigned_goto(&mut self, variable: Slice, labels: Slice) -> Fallible<()> {
        let mut labels = match labels.is_empty() {
            true => self.jumps.assigned.clone(),
            false => self.label_list(labels)?,
        };
        let mut seen = std::collections::HashSet::new();
        labels.retain(|&label| seen.insert(label) && self.format_text(label).is_none());
        let Some(last) = labels.pop() else {
            return refuse("GO TO a variable that no label is assigned to");
        };
        let (place, ty) = self.label_variable(variable)?;
        let selector = self.add(contraflow_ir::Expr::Load(place), ty);
        let mut arms = Vec::new();
        for label in labels {
            let jump = self.jump_statement(label)?;
            let value = self.build().int_of(label.into(), ty);
            arms.push(CaseArm {
                labels: vec![CaseLabel::Value(value)],
                body: vec![jump],
            });
        }
        let default = vec![self.jump_statement(last)?];
        self.emit(Stmt::Switch {
            selector,
            arms,
            default,
        });
        Ok(())
    }

    fn label_variable(&mut self, variable: Slice) -> Fallible<(contraflow_ir::Access, Type)> {
        let tree = self.parse(&[variable])?;
        let variable = self.only(&tree, 0)?;
        let place = self.place(variable, &[])?;
        match place.ty {
            Type::Integer { bytes, .. } if bytes >= 4 => Ok((place.access, place.ty)),
            _ => refuse("a label in a variable that cannot hold it"),
        }
    }

    /// `IF (x) 10, 20, 30`
    pub(super) fn arithmetic_if(&mut self, value: Slice, labels: Slice) -> Fallible<()> {
        let labels = self.label_list(labels)?;
        let [negative, zero, positive] = labels.as_slice() else {
            return refuse("an arithmetic IF with other than three labels");
        };
        let tree = self.parse(&[value])?;
        let value = self.only(&tree, 0)?;
        let value = self.scalar(value)?;
        let ty = self.type_of(value);
        if !ty.is_integer() && !ty.is_real() {
            return refuse("an arithmetic IF on a value that has no sign");
        }
        let kept = self.temporary("value", ty);
        let assigned = self
            .build()
            .assign(contraflow_ir::Access::whole(kept), value);
        self.out.push(assigned);
        let negative = self.jump_statement(*negative)?;
        let none = self.jump_statement(*zero)?;
        let positive = self.jump_statement(*positive)?;
        let below = self.against_zero(kept, ty, BinaryOp::Less)?;
        let equal = self.against_zero(kept, ty, BinaryOp::Equal)?;
        let mut b = self.build();
        let inner = b.if_else(equal, vec![none], vec![positive]);
        let outer = b.if_else(below, vec![negative], vec![inner]);
        self.out.push(outer);
        Ok(())
    }

    fn against_zero(
        &mut self,
        var: contraflow_ir::VarId,
        ty: Type,
        op: BinaryOp,
    ) -> Fallible<contraflow_ir::ExprId> {
        let value = self.load(var);
        let zero = self.build().zero(ty);
        self.binary(op, value, zero)
    }
}

/// Widens intervals until they nest, and sorts them outermost first; nothing if they cannot nest.
fn nest(mut intervals: Vec<Interval>) -> Option<Vec<Interval>> {
    intervals.retain(|interval| interval.start < interval.end);
    while let Some((first, second)) = crossing(&intervals) {
        resolve(&mut intervals, first, second)?;
    }
    intervals.sort_by(|a, b| {
        let rank = |shape: &Shape| matches!(shape, Shape::Back(_));
        (a.start, usize::MAX - a.end, rank(&a.shape)).cmp(&(
            b.start,
            usize::MAX - b.end,
            rank(&b.shape),
        ))
    });
    Some(intervals)
}

/// Two intervals of which the second starts inside the first and ends behind it.
fn crossing(intervals: &[Interval]) -> Option<(usize, usize)> {
    let mut order: Vec<usize> = (0..intervals.len()).collect();
    order.sort_by_key(|&i| (intervals[i].start, usize::MAX - intervals[i].end));
    let mut open: Vec<usize> = Vec::new();
    for index in order {
        let here = &intervals[index];
        while open.last().is_some_and(|&o| intervals[o].end <= here.start) {
            open.pop();
        }
        if let Some(&outer) = open.last()
            && intervals[outer].end < here.end
        {
            return Some((outer, index));
        }
        open.push(index);
    }
    None
}

/// Widens one of two crossing intervals. Nothing can be done about a jump into a loop from before
/// it, or into or out of a directive's block.
fn resolve(intervals: &mut [Interval], first: usize, second: usize) -> Option<()> {
    let start = intervals[first].start;
    let end = intervals[second].end;
    match (&intervals[first].shape, &intervals[second].shape) {
        (Shape::Region(_), _) | (_, Shape::Region(_)) => return None,
        (_, Shape::Ahead(_)) => intervals[second].start = start,
        (Shape::Back(_), Shape::Back(_)) => intervals[first].end = end,
        (Shape::Ahead(_), Shape::Back(_)) => return None,
    }
    Some(())
}
