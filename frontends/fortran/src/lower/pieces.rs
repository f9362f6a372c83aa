//! Statements with jumps that do not nest, as pieces of a graph: one from each label to the next.
//! Constructs that are jumped into are taken apart, with jumps of their own; all others stay whole.
//! [`contraflow_ir::structure::join`] makes loops and conditions of the pieces.

use super::do_loop::Passes;
use super::{Enclosing, Fallible, Lowerer, goto::Target, refuse};
use crate::syntax::blocks::{Arm, Construct, Node};
use crate::syntax::{DoControl, Kind};
use crate::view::Slice;
use contraflow_ir::structure::{Piece, join};
use contraflow_ir::{Block, ExprId, Jump, JumpLabel, Procedure, Stmt, Type, Variable};
use std::collections::HashSet;

/// The pieces so far.
struct Draft {
    done: Vec<Piece>,
    /// Where the piece starts that is being lowered.
    label: JumpLabel,
    /// The labels of a construct's list and of the constructs in it that are taken apart.
    targets: Vec<Target>,
    /// The labels whose pieces have begun: a text may have a label twice.
    begun: HashSet<u32>,
    /// The ENTRY statement at which to begin.
    entry: usize,
    start: Option<JumpLabel>,
}

impl Draft {
    fn place(&self, label: u32) -> Option<JumpLabel> {
        let target = self.targets.iter().find(|target| target.label == label);
        match target?.jump {
            Jump::Exit(label) => Some(label),
            Jump::Cycle(_) | Jump::Return => None,
        }
    }
}

impl Lowerer<'_> {
    /// Lowers statements as pieces; `end_label` is a label on the statement after them.
    pub(super) fn pieces(&mut self, nodes: &[Node], end_label: Option<u32>) {
        self.pieces_from(nodes, usize::MAX, end_label);
    }

    /// The same, beginning with the statement after `entry`, if that is one of them.
    pub(super) fn pieces_from(&mut self, nodes: &[Node], entry: usize, end_label: Option<u32>) {
        let outer = std::mem::take(&mut self.out);
        let (known, enclosing) = (self.goto_targets.len(), self.enclosing.len());
        let mut draft = Draft {
            done: Vec::new(),
            label: self.label(),
            start: None,
            targets: Vec::new(),
            begun: HashSet::new(),
            entry,
        };
        if entry != usize::MAX {
            let start = self.label();
            draft.start = Some(start);
            self.go(start);
            let before = self.label();
            self.begin(before, &mut draft);
        }
        self.note_targets(nodes, &mut draft);
        self.note_target(end_label, &mut draft);
        self.goto_targets.extend(&draft.targets);
        let result = self
            .take_apart(nodes, end_label, &mut draft)
            .and_then(|()| {
                let mut labels = draft.targets.iter().map(|target| target.label);
                match labels.all(|label| draft.begun.contains(&label)) {
                    true => Ok(()),
                    false => refuse("a label stands where nothing is executed"),
                }
            });
        let last = self.label();
        self.begin(last, &mut draft);
        self.goto_targets.truncate(known);
        self.enclosing.truncate(enclosing);
        self.out = outer;
        match (result, nodes) {
            (Ok(()), _) => {
                let joined = self.join(draft.done);
                self.out.extend(joined);
            }
            (Err(refusal), [first, .., last]) => {
                self.opaque_range(first.first(), last.last(), "goto", &refusal.reason);
            }
            (Err(refusal), [only]) => {
                self.opaque_range(only.first(), only.last(), "goto", &refusal.reason);
            }
            (Err(_), []) => {}
        }
    }

    fn join(&mut self, pieces: Vec<Piece>) -> Block {
        let mut last = self.next_label;
        let mut states = Vec::new();
        let block = join(
            &mut self.procedure,
            pieces,
            &mut || {
                last += 1;
                JumpLabel(last)
            },
            &mut |procedure: &mut Procedure| {
                let state = Variable::scalar("state", Type::INT);
                let state = procedure.variables.add(state);
                states.push((state, "state".to_owned()));
                state
            },
        );
        self.next_label = last;
        self.generated.extend(states);
        block
    }

    fn note_targets(&mut self, nodes: &[Node], draft: &mut Draft) {
        for node in nodes {
            self.note_target(self.statement_at(node.first()).label, draft);
            if let Node::Construct(construct) = node {
                self.note_target(self.label_behind(construct), draft);
                if self.jumps.enters(construct) {
                    self.note_target(self.label_of_pass(construct), draft);
                    for arm in &construct.arms {
                        self.note_targets(&arm.body, draft);
                    }
                }
            }
        }
    }

    fn note_target(&mut self, label: Option<u32>, draft: &mut Draft) {
        if let Some(label) = label
            && draft.place(label).is_none()
        {
            let jump = Jump::Exit(self.label());
            draft.targets.push(Target { label, jump });
        }
    }

    /// Ends the piece that is being lowered, and begins another.
    fn begin(&mut self, label: JumpLabel, draft: &mut Draft) {
        let label = std::mem::replace(&mut draft.label, label);
        let body = std::mem::take(&mut self.out);
        draft.done.push(Piece { label, body });
    }

    fn begin_at(&mut self, label: Option<u32>, draft: &mut Draft) {
        if let Some(label) = label
            && let Some(place) = draft.place(label)
            && draft.begun.insert(label)
        {
            self.begin(place, draft);
        }
    }

    fn take_apart(
        &mut self,
        nodes: &[Node],
        end_label: Option<u32>,
        draft: &mut Draft,
    ) -> Fallible<()> {
        for node in nodes {
            self.begin_at(self.statement_at(node.first()).label, draft);
            match node {
                Node::Construct(construct) if self.jumps.enters(construct) => {
                    self.entered(construct, draft)?;
                }
                Node::Simple(index) if *index == draft.entry => {
                    if let Some(start) = draft.start {
                        self.begin(start, draft);
                    }
                }
                _ => self.node(node),
            }
            if let Node::Construct(construct) = node {
                self.begin_at(self.label_behind(construct), draft);
            }
        }
        self.begin_at(end_label, draft);
        Ok(())
    }

    /// A construct that is jumped into.
    fn entered(&mut self, construct: &Construct, draft: &mut Draft) -> Fallible<()> {
        let head = construct.arms[0].head;
        self.take_directives(head);
        self.pending_directive = None;
        let kind = self.kind_at(head).clone();
        let end = self.label();
        let enclosing = Enclosing {
            name: self.construct_name(construct),
            is_loop: matches!(kind, Kind::Do { .. }),
            exit: Some(end),
            cycle: Some(self.label()),
            goes_on: false,
        };
        let cycle = enclosing.cycle;
        self.enclosing.push(enclosing);
        match (kind, cycle) {
            (Kind::Do { control, .. }, Some(cycle)) => {
                self.entered_loop(construct, &control, end, cycle, draft)?;
            }
            (Kind::SelectCase(selector), _) => {
                self.entered_select(construct, selector, end, draft)?;
            }
            _ => self.entered_if(construct, end, draft)?,
        }
        self.enclosing.pop();
        self.begin(end, draft);
        Ok(())
    }

    fn go(&mut self, label: JumpLabel) {
        self.emit(Stmt::Jump(Jump::Exit(label)));
    }

    /// Goes to `label` unless the condition holds.
    fn go_unless(&mut self, condition: ExprId, label: JumpLabel) {
        let mut b = self.build();
        let jump = b.stmt(Stmt::Jump(Jump::Exit(label)));
        let stmt = b.if_else(condition, Vec::new(), vec![jump]);
        self.out.push(stmt);
    }

    fn entered_if(
        &mut self,
        construct: &Construct,
        end: JumpLabel,
        draft: &mut Draft,
    ) -> Fallible<()> {
        for arm in &construct.arms {
            let next = self.label();
            if let Kind::IfThen(slice) | Kind::ElseIf(slice) = *self.kind_at(arm.head) {
                let (before, condition) = self.head_condition(arm.head, slice)?;
                self.out.extend(before);
                self.go_unless(condition, next);
            }
            self.take_apart(&arm.body, None, draft)?;
            self.go(end);
            self.begin(next, draft);
        }
        Ok(())
    }

    fn entered_select(
        &mut self,
        construct: &Construct,
        selector: Slice,
        end: JumpLabel,
        draft: &mut Draft,
    ) -> Fallible<()> {
        let mut labels = Vec::new();
        self.switch(construct, selector, |lowerer, _: &Arm| {
            let label = lowerer.label();
            labels.push(label);
            vec![lowerer.build().stmt(Stmt::Jump(Jump::Exit(label)))]
        })?;
        self.go(end);
        for (arm, label) in construct.arms[1..].iter().zip(labels) {
            self.begin(label, draft);
            self.take_apart(&arm.body, None, draft)?;
            self.go(end);
        }
        Ok(())
    }

    fn entered_loop(
        &mut self,
        construct: &Construct,
        control: &DoControl,
        end: JumpLabel,
        cycle: JumpLabel,
        draft: &mut Draft,
    ) -> Fallible<()> {
        let head = construct.arms[0].head;
        let mut passes: Option<Passes> = None;
        if let DoControl::Counted {
            variable,
            from,
            to,
            step,
        } = control
        {
            let (place, bounds) = self.loop_head(construct, [*variable, *from, *to, *step])?;
            passes = Some(self.count_passes(&place.access, place.ty, bounds)?);
        }
        let test = self.label();
        self.begin(test, draft);
        if let DoControl::While(slice) = control {
            let (before, condition) = self.head_condition(head, *slice)?;
            self.out.extend(before);
            self.go_unless(condition, end);
        }
        if let Some(passes) = &passes {
            let condition = self.passes_left(passes);
            self.go_unless(condition, end);
        }
        let label = self.label_of_pass(construct);
        self.take_apart(&construct.arms[0].body, label, draft)?;
        self.begin(cycle, draft);
        if let Some(passes) = &passes {
            self.next_pass(passes)?;
        }
        self.go(test);
        Ok(())
    }
}
