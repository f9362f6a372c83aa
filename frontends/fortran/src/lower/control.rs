//! Control flow: conditions, EXIT and CYCLE, and the dispatch over statement kinds.

use super::{Enclosing, Fallible, Lowerer, Refusal, refuse};
use crate::syntax::Kind;
use crate::syntax::blocks::{Construct, Node};
use crate::view::Slice;
use contraflow_ir::{Block, ExprId, Jump, JumpLabel, Stmt, Type};

impl Lowerer<'_> {
    pub(super) fn kind_at(&self, index: usize) -> &Kind {
        &self.program.file_of(self.home).kinds[index].kind
    }

    /// One node of a block.
    pub(super) fn node(&mut self, node: &Node) {
        self.take_directives(node.first());
        match node {
            Node::Simple(index) => self.simple(*index),
            Node::Construct(construct) => self.construct(construct),
        }
        self.pending_directive = None;
    }

    /// Lowers a statement, or takes back what was built and quotes it.
    pub(super) fn attempt(
        &mut self,
        index: usize,
        f: impl FnOnce(&mut Self) -> Fallible<()>,
    ) -> Result<(), Refusal> {
        self.statement = index;
        self.span = self.statement_at(index).place();
        let mark = self.out.len();
        let (counters, substitutions) = (self.counters.len(), self.substitutions.len());
        let result = f(self);
        self.hoisted.clear();
        if result.is_err() {
            self.out.truncate(mark);
            self.counters.truncate(counters);
            self.substitutions.truncate(substitutions);
            self.to_free.clear();
            self.scope = self.here;
            self.depth = 0;
        } else {
            self.release();
        }
        result
    }

    fn simple(&mut self, index: usize) {
        let kind = self.kind_at(index).clone();
        let objects = self.objects_in(index);
        let result = self.attempt(index, |lowerer| {
            lowerer.by_component_types(&mut |lowerer| lowerer.object_action(index, &kind, &objects))
        });
        if let Err(refusal) = result {
            self.refused(index, &kind, &refusal);
        }
    }

    /// An executable statement that is no construct.
    pub(super) fn action(&mut self, index: usize, kind: &Kind) -> Fallible<()> {
        match kind {
            Kind::Assignment { target, value } => {
                let mark = self.out.len();
                self.assignment(*target, *value).or_else(|refusal| {
                    self.out.truncate(mark);
                    self.to_free.clear();
                    let parses = refusal.reason != super::opaque::UNPARSED && self.wanted.is_none();
                    match parses && self.text_assignment(index, *target, *value) {
                        true => Ok(()),
                        false => Err(refusal),
                    }
                })
            }
            Kind::PointerAssignment { target, value } => self.pointer_assignment(*target, *value),
            Kind::Call { target, arguments } => self.call(*target, *arguments),
            Kind::If { condition, action } => self.one_line_if(index, *condition, action),
            Kind::ArithmeticIf { value, labels } => self.arithmetic_if(*value, *labels),
            Kind::Goto(label) => self.goto(*label),
            Kind::ComputedGoto { labels, selector } => self.computed_goto(*labels, *selector),
            Kind::AssignedGoto { variable, labels } => self.assigned_goto(*variable, *labels),
            Kind::Assign { label, variable } => self.assign_label(*label, *variable),
            Kind::Continue | Kind::Format | Kind::Entry { .. } => Ok(()),
            Kind::Return(value) if value.is_empty() => {
                self.emit(Stmt::Jump(Jump::Return));
                Ok(())
            }
            Kind::Return(value) => self.alternate_return(*value),
            Kind::Exit(name) => self.exit(*name),
            Kind::Cycle(name) => self.cycle(*name),
            Kind::Stop => {
                self.stop(index);
                Ok(())
            }
            Kind::Io {
                word,
                control,
                items,
            } => self.io(index, word, *control, *items),
            Kind::Allocate(list) => self.allocate(*list),
            Kind::Deallocate(list) => self.deallocate(*list),
            Kind::Nullify(list) => self.nullify(*list),
            Kind::Where {
                mask,
                action: Some(action),
            } => self.one_line_where(*mask, action),
            Kind::Forall {
                header,
                action: Some(action),
            } => self.one_line_forall(*header, action),
            Kind::Unknown => {
                self.diagnostics.push(
                    contraflow_ir::Diagnostic::warning(
                        "unparsed",
                        "this statement is not understood",
                    )
                    .at(self.span, "here")
                    .with_help("it is kept as it stands; active values may not pass through it"),
                );
                Err(Refusal {
                    reason: super::opaque::UNPARSED.to_owned(),
                })
            }
            _ => refuse("a statement that is not taken apart"),
        }
    }

    fn one_line_if(&mut self, index: usize, condition: Slice, action: &Kind) -> Fallible<()> {
        let tree = self.parse(&[condition])?;
        let condition = self.only(&tree, 0)?;
        let condition = self.condition(condition)?;
        let outer = std::mem::take(&mut self.to_free);
        let (then, ()) = self.block(|lowerer| {
            lowerer.by_component_types(&mut |lowerer| lowerer.action(index, action))?;
            lowerer.release();
            Ok(())
        })?;
        self.to_free = outer;
        let stmt = self.build().if_else(condition, then, Vec::new());
        self.out.push(stmt);
        Ok(())
    }

    /// A scalar truth value.
    pub(super) fn condition(&mut self, e: super::Syn) -> Fallible<ExprId> {
        let value = self.value_by_component_types(&mut |lowerer| lowerer.scalar(e))?;
        self.truth(value)
    }

    /// The value, if it is a truth value.
    pub(super) fn truth(&self, value: ExprId) -> Fallible<ExprId> {
        match self.type_of(value) {
            Type::Logical { .. } => Ok(value),
            _ => refuse("a condition that is no truth value"),
        }
    }

    fn construct(&mut self, construct: &Construct) {
        let head = construct.arms[0].head;
        let kind = self.kind_at(head).clone();
        let mark = self.out.len();
        let asks = construct.arms.iter().any(|arm| self.asks_objects(arm.head));
        let result = match &kind {
            Kind::SelectOther => self.select_type(construct),
            _ if asks => refuse("the head of a construct names an object of several types"),
            Kind::IfThen(_) => self.if_construct(construct),
            Kind::Do { label: _, control } => self.do_construct(construct, control),
            Kind::SelectCase(selector) => self.select_case(construct, *selector),
            Kind::Where { mask, .. } => {
                self.by_component_types(&mut |lowerer| lowerer.where_construct(construct, *mask))
            }
            Kind::Forall { header, .. } => {
                self.by_component_types(&mut |lowerer| lowerer.forall_construct(construct, *header))
            }
            Kind::Block if construct.specification.is_empty() => self.plain_block(construct),
            Kind::Block => self.block_construct(construct),
            Kind::Associate(list) => self.associate_construct(construct, *list),
            Kind::Critical => self.plain_block(construct),
            _ => refuse("a construct that is not taken apart"),
        };
        if let Err(refusal) = result {
            self.out.truncate(mark);
            self.scope = self.here;
            self.opaque_range(head, construct.end, construct_kind(&kind), &refusal.reason);
        }
    }

    fn plain_block(&mut self, construct: &Construct) -> Fallible<()> {
        let name = self.construct_name(construct);
        let body = self.enclosed(name, false, true, |lowerer| {
            lowerer.nodes(&construct.arms[0].body);
        });
        self.labelled(body.exit, body.block);
        Ok(())
    }

    pub(super) fn construct_name(&self, construct: &Construct) -> Option<String> {
        let head = construct.arms[0].head;
        let slice = self.program.file_of(self.home).kinds[head].construct?;
        Some(self.statement_at(head).part(slice).to_owned())
    }

    /// Lowers statements inside a construct that may be left by name.
    pub(super) fn enclosed(
        &mut self,
        name: Option<String>,
        is_loop: bool,
        goes_on: bool,
        f: impl FnOnce(&mut Self),
    ) -> Enclosed {
        self.enclosing.push(Enclosing {
            name,
            is_loop,
            exit: None,
            cycle: None,
            goes_on,
        });
        let outer = std::mem::take(&mut self.out);
        f(self);
        let block = std::mem::replace(&mut self.out, outer);
        let enclosing = self.enclosing.pop();
        Enclosed {
            block,
            exit: enclosing.as_ref().and_then(|e| e.exit),
            cycle: enclosing.as_ref().and_then(|e| e.cycle),
        }
    }

    pub(super) fn labelled(&mut self, label: Option<JumpLabel>, body: Block) {
        match label {
            Some(label) => {
                self.emit(Stmt::Labelled { label, body });
            }
            None => self.out.extend(body),
        }
    }

    fn if_construct(&mut self, construct: &Construct) -> Fallible<()> {
        let name = self.construct_name(construct);
        let mut failed = None;
        let body = self.enclosed(name, false, true, |lowerer| {
            failed = lowerer.if_arms(construct).err();
        });
        if let Some(refusal) = failed {
            return Err(refusal);
        }
        self.labelled(body.exit, body.block);
        Ok(())
    }

    /// The arms one by one, then put together from the last, so that long chains need no stack.
    fn if_arms(&mut self, construct: &Construct) -> Fallible<()> {
        let mut arms: Vec<(Block, ExprId, Block, contraflow_ir::Span)> = Vec::new();
        let mut rest = Vec::new();
        for arm in &construct.arms {
            match *self.kind_at(arm.head) {
                Kind::IfThen(slice) | Kind::ElseIf(slice) => {
                    let (before, condition) = self.head_condition(arm.head, slice)?;
                    let span = self.span;
                    let then = self.body_of(&arm.body);
                    arms.push((before, condition, then, span));
                }
                _ => rest = self.body_of(&arm.body),
            }
        }
        for (mut before, condition, then, span) in arms.into_iter().rev() {
            self.span = span;
            let stmt = self.build().if_else(condition, then, rest);
            before.push(stmt);
            rest = before;
        }
        self.out.extend(rest);
        Ok(())
    }

    /// The condition of a head, and what must be computed before it.
    pub(super) fn head_condition(
        &mut self,
        head: usize,
        slice: Slice,
    ) -> Fallible<(Block, ExprId)> {
        self.statement = head;
        self.span = self.statement_at(head).place();
        let tree = self.parse(&[slice])?;
        let condition = self.only(&tree, 0)?;
        let result = self.block(|lowerer| {
            let value = lowerer.condition(condition)?;
            lowerer.release();
            Ok(value)
        });
        self.hoisted.clear();
        result
    }

    pub(super) fn body_of(&mut self, nodes: &[Node]) -> Block {
        let outer = std::mem::take(&mut self.out);
        self.nodes(nodes);
        std::mem::replace(&mut self.out, outer)
    }

    fn exit(&mut self, name: Slice) -> Fallible<()> {
        let name = self.jump_name(name);
        let Some(index) = self.enclosing.iter().rposition(|construct| match &name {
            Some(name) => construct.name.as_ref() == Some(name),
            None => construct.is_loop,
        }) else {
            return refuse("EXIT from nothing");
        };
        let label = match self.enclosing[index].exit {
            Some(label) => label,
            None => self.label(),
        };
        self.enclosing[index].exit = Some(label);
        self.emit(Stmt::Jump(Jump::Exit(label)));
        Ok(())
    }

    fn cycle(&mut self, name: Slice) -> Fallible<()> {
        let name = self.jump_name(name);
        let Some(index) = self
            .enclosing
            .iter()
            .rposition(|construct| construct.is_loop && (name.is_none() || construct.name == name))
        else {
            return refuse("CYCLE of nothing");
        };
        let goes_on = self.enclosing[index].goes_on;
        let known = if goes_on {
            self.enclosing[index].exit
        } else {
            self.enclosing[index].cycle
        };
        let label = match known {
            Some(label) => label,
            None => self.label(),
        };
        if goes_on {
            self.enclosing[index].exit = Some(label);
            self.emit(Stmt::Jump(Jump::Cycle(label)));
        } else {
            self.enclosing[index].cycle = Some(label);
            self.emit(Stmt::Jump(Jump::Exit(label)));
        }
        Ok(())
    }

    fn jump_name(&self, slice: Slice) -> Option<String> {
        let text = self.statement_at(self.statement).part(slice);
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// Statements of a construct, with the labels that its jumps used.
pub(super) struct Enclosed {
    pub(super) block: Block,
    pub(super) exit: Option<JumpLabel>,
    pub(super) cycle: Option<JumpLabel>,
}

fn construct_kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::IfThen(_) => "if",
        Kind::Do { .. } => "do",
        Kind::SelectCase(_) | Kind::SelectOther => "select",
        Kind::Where { .. } => "where",
        Kind::Forall { .. } => "forall",
        Kind::Associate(_) => "associate",
        Kind::Block => "block",
        _ => "construct",
    }
}
