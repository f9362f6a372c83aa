//! Statements. One that cannot be taken apart is quoted; what it had emitted is dropped.

use super::pieces::{Run, needs_pieces};
use super::{Body, Facts, Lowered, Target};
use crate::cst::{BlockItem, Expression, IfStatement, Label, LabeledStatement, Node, Statement};
use contraflow_ir::{Access, BinaryOp, Expr, ExprId, Jump, Stmt, UnaryOp};
use std::collections::HashMap;

impl<'u, 'a> Body<'u, 'a> {
    /// The items of a block, in the current scope, with the labels among them.
    pub fn items(&mut self, items: &'a [Node<BlockItem>]) {
        let labels = match self.facts.gotos.is_empty() {
            true => Vec::new(),
            false => labels_of(items, &self.facts.gotos),
        };
        if self.facts.gotos.is_empty() || self.jumps_nest(items, &labels) {
            self.items_with_labels(items, &labels);
        } else if let Err(why) = self.pieces(Run::Items(items)) {
            self.warn(why);
        }
    }

    /// A label that is jumped to from behind begins a loop to the end of the block; a label that is
    /// jumped to from before ends a block that those jumps leave.
    fn items_with_labels(&mut self, items: &'a [Node<BlockItem>], labels: &[(usize, &'a str)]) {
        let backward = labels
            .iter()
            .position(|&(index, name)| Facts::of_items(&items[index..]).gotos.contains_key(name));
        match backward {
            Some(which) => {
                let (index, name) = labels[which];
                self.before_label(&items[..index], &labels[..which], name);
                let rest: Vec<(usize, &'a str)> = labels[which + 1..]
                    .iter()
                    .map(|&(at, name)| (at - index, name))
                    .collect();
                self.repeated(&items[index..], &rest, name);
            }
            None => self.forward_labels(items, labels),
        }
    }

    fn forward_labels(&mut self, items: &'a [Node<BlockItem>], labels: &[(usize, &'a str)]) {
        let rest = match labels.split_last() {
            Some((&(index, name), before)) => {
                self.before_label(&items[..index], before, name);
                &items[index..]
            }
            None => items,
        };
        for item in rest {
            self.block_item(item);
        }
    }

    /// Items that may jump to the label `name` at their end.
    fn before_label(
        &mut self,
        items: &'a [Node<BlockItem>],
        labels: &[(usize, &'a str)],
        name: &'a str,
    ) {
        let label = self.new_label();
        self.gotos.push((name, Jump::Exit(label)));
        let (block, ()) = self.in_block(|body| body.forward_labels(items, labels));
        self.gotos.pop();
        match self.if_used(label) {
            Some(label) => {
                self.emit(Stmt::Labelled { label, body: block });
            }
            None => self.block.extend(block),
        }
    }

    /// Items whose first has the label `name`, to which they may jump back.
    fn repeated(
        &mut self,
        items: &'a [Node<BlockItem>],
        labels: &[(usize, &'a str)],
        name: &'a str,
    ) {
        let label = self.new_label();
        self.gotos.push((name, Jump::Cycle(label)));
        let (body, ()) = self.in_block(|body| {
            body.items_with_labels(items, labels);
            body.emit(Stmt::Jump(Jump::Exit(label)));
        });
        self.gotos.pop();
        let condition = self.builder().logical(true);
        self.emit(Stmt::While {
            condition,
            body,
            label: Some(label),
        });
    }

    pub fn block_item(&mut self, item: &'a Node<BlockItem>) {
        match &item.node {
            BlockItem::Declaration(declaration) => self.local_declaration(declaration),
            BlockItem::StaticAssert(_) => {}
            BlockItem::Statement(statement) => self.statement(statement),
        }
    }

    /// One statement.
    pub fn statement(&mut self, node: &'a Node<Statement>) {
        let outer = self.span;
        let here = self.unit.span(node.span);
        if here.is_some() {
            self.span = here;
        }
        let emitted = self.block.len();
        let directive = self.directive_at(node.span.start);
        let done = match directive {
            Some(directive) => self.directed(node, directive),
            None => self.statement_here(node),
        };
        if let Err(why) = done {
            self.block.truncate(emitted);
            self.quote(node, why);
        }
        self.span = outer;
    }

    pub fn statement_here(&mut self, node: &'a Node<Statement>) -> Lowered<()> {
        match &node.node {
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => self.expression_statement(expression),
            Statement::Compound(items) => {
                self.compound(items);
                Ok(())
            }
            Statement::If(branch) if self.crosses(&branch.node) => {
                self.pieces(Run::Statement(node))
            }
            Statement::If(branch) => self.branch(&branch.node),
            Statement::Switch(switch) if needs_pieces(&switch.node) => {
                self.pieces(Run::Statement(node))
            }
            Statement::Switch(switch) => self.switch(&switch.node),
            Statement::While(node) => self.while_loop(&node.node),
            Statement::DoWhile(node) => self.do_loop(&node.node),
            Statement::For(node) => self.for_loop(&node.node, None),
            Statement::Return(value) => self.return_value(value.as_deref()),
            Statement::Break => self.leave(),
            Statement::Continue => self.next(),
            Statement::Goto(label) => self.goto(&label.node.name),
            Statement::Labeled(labeled) if self.is_repeated(&labeled.node) => {
                self.pieces(Run::Statement(node))
            }
            Statement::Labeled(labeled) => self.labelled(&labeled.node),
            Statement::Asm(_) => self.unsupported("inline assembly"),
        }
    }

    fn expression_statement(&mut self, expression: &'a Node<Expression>) -> Lowered<()> {
        if !matches!(
            expression.node,
            Expression::Call(_) | Expression::BinaryOperator(_) | Expression::UnaryOperator(_)
        ) {
            let text = self.unit.source_text(self.span);
            if text.starts_with("assert") {
                self.quote_assert(expression, text);
                return Ok(());
            }
        }
        self.effects(expression)
    }

    /// A block of its own.
    pub fn compound(&mut self, items: &'a [Node<BlockItem>]) {
        self.unit.enter();
        self.blocks.push(items);
        self.items(items);
        self.blocks.pop();
        self.leave_block();
    }

    fn branch(&mut self, branch: &'a IfStatement) -> Lowered<()> {
        let condition = self.condition(&branch.condition)?;
        if let Some(made) = self.allocation_decides(condition) {
            // Here an allocation always gives memory.
            let taken = match made {
                true => Some(&branch.then_statement),
                false => branch.else_statement.as_ref(),
            };
            if let Some(statement) = taken {
                self.statement(statement);
            }
            return Ok(());
        }
        let head = self.head_span(branch.condition.span);
        let (then, ()) = self.in_block(|body| body.statement(&branch.then_statement));
        let (otherwise, ()) = self.in_block(|body| {
            if let Some(statement) = &branch.else_statement {
                body.statement(statement);
            }
        });
        self.emit_at(
            head,
            Stmt::If {
                condition,
                then,
                otherwise,
            },
        );
        Ok(())
    }

    /// The value of a condition that only asks whether the allocations just before it gave memory.
    fn allocation_decides(&self, condition: ExprId) -> Option<bool> {
        let (procedure, made) = (&self.procedure, &self.block);
        let is_made = |access: &Access| {
            let allocations = made
                .iter()
                .rev()
                .map_while(|&stmt| match procedure.stmt(stmt) {
                    Stmt::Allocate { target, .. } => Some(target),
                    _ => None,
                });
            let grown = self.grown.filter(|(last, _)| made.last() == Some(last));
            allocations.into_iter().any(|target| target == access)
                || grown.is_some_and(|(_, var)| *access == Access::whole(var))
        };
        match procedure.expr(condition) {
            Expr::Present(access) => is_made(access).then_some(true),
            Expr::Unary(UnaryOp::Not, inner) => Some(!self.allocation_decides(*inner)?),
            Expr::Binary(BinaryOp::Or | BinaryOp::OrElse, a, b) => {
                Some(self.allocation_decides(*a)? | self.allocation_decides(*b)?)
            }
            Expr::Binary(BinaryOp::And | BinaryOp::AndThen, a, b) => {
                Some(self.allocation_decides(*a)? & self.allocation_decides(*b)?)
            }
            _ => None,
        }
    }

    /// From the start of the current statement to the end of its head.
    pub fn head_span(&self, last: crate::cst::Span) -> contraflow_ir::Span {
        let end = self.unit.span(last);
        let mut head = self.span;
        if end.is_some() && end.file == head.file && end.end > head.start {
            head.end = end.end.min(head.end);
            let bytes = &self.unit.sources.file(head.file).bytes;
            if bytes.get(head.end as usize) == Some(&b')') {
                head.end += 1;
            }
        }
        head
    }

    /// Adds a statement with a place of its own.
    pub fn emit_at(&mut self, span: contraflow_ir::Span, stmt: Stmt) {
        let outer = std::mem::replace(&mut self.span, span);
        self.emit(stmt);
        self.span = outer;
    }

    fn return_value(&mut self, value: Option<&'a Node<Expression>>) -> Lowered<()> {
        if let Some(node) = value {
            match self.result.clone() {
                Some((result, ty)) => {
                    let scalar = ty.scalar();
                    if let Expression::Call(call) = &node.node
                        && scalar.is_some()
                        && self.call_result_type(&call.node) == scalar
                    {
                        self.call_into(&call.node, Access::whole(result))?;
                    } else {
                        let value = self.value(node)?;
                        self.store(super::Place::whole(result, ty), value)?;
                    }
                }
                None => self.effects(node)?,
            }
        }
        self.emit(Stmt::Jump(Jump::Return));
        Ok(())
    }

    fn leave(&mut self) -> Lowered<()> {
        match self.targets.last().and_then(|target| target.leave) {
            Some(label) => {
                self.used_labels.insert(label);
                self.emit(Stmt::Jump(Jump::Exit(label)));
                Ok(())
            }
            None => self.unsupported("a `break` outside of a loop"),
        }
    }

    fn next(&mut self) -> Lowered<()> {
        match self.targets.iter().rev().find_map(|target| target.next) {
            Some(jump) => {
                if let Jump::Exit(label) | Jump::Cycle(label) = jump {
                    self.used_labels.insert(label);
                }
                self.emit(Stmt::Jump(jump));
                Ok(())
            }
            None => self.unsupported("a `continue` outside of a loop"),
        }
    }

    fn goto(&mut self, name: &str) -> Lowered<()> {
        match self.gotos.iter().rev().find(|(known, _)| *known == name) {
            Some(&(_, jump)) => {
                if let Jump::Exit(label) | Jump::Cycle(label) = jump {
                    self.used_labels.insert(label);
                }
                self.emit(Stmt::Jump(jump));
                Ok(())
            }
            None => {
                self.lost_goto = true;
                self.unsupported("a `goto`")
            }
        }
    }

    /// Whether a statement jumps back to its own label, which is no item of a block.
    fn is_repeated(&self, labeled: &'a LabeledStatement) -> bool {
        let Label::Identifier(name) = &labeled.label.node else {
            return false;
        };
        let name = name.node.name.as_str();
        !self.gotos.iter().any(|(known, _)| *known == name)
            && Facts::of_statement(&labeled.statement)
                .gotos
                .contains_key(name)
    }

    fn labelled(&mut self, labeled: &'a LabeledStatement) -> Lowered<()> {
        match labeled.label.node {
            Label::Identifier(_) => {
                self.statement(&labeled.statement);
                Ok(())
            }
            _ => self.unsupported("a `case` outside of its `switch`"),
        }
    }

    /// The body of a loop, with its jumps.
    pub fn loop_body(&mut self, target: Target, node: &'a Node<Statement>) -> contraflow_ir::Block {
        self.targets.push(target);
        let (block, ()) = self.in_block(|body| body.statement(node));
        self.targets.pop();
        block
    }
}

/// The labels among the items that are jumped to, with their positions.
fn labels_of<'a>(
    items: &'a [Node<BlockItem>],
    gotos: &HashMap<&'a str, u32>,
) -> Vec<(usize, &'a str)> {
    let mut labels = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let BlockItem::Statement(statement) = &item.node else {
            continue;
        };
        let mut inner = statement;
        while let Statement::Labeled(labeled) = &inner.node {
            if let Label::Identifier(name) = &labeled.node.label.node
                && gotos.contains_key(name.node.name.as_str())
            {
                labels.push((index, name.node.name.as_str()));
            }
            inner = &labeled.node.statement;
        }
    }
    labels
}
