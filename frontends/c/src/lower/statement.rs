//! Statements. One that cannot be taken apart is quoted; what it had emitted is dropped.

use super::facts::labels_in;
use super::{Body, Lowered, Target};
use crate::cst::{
    BlockItem, Expression, IfStatement, Label, LabeledStatement, Node, Statement,
};
use contraflow_ir::{Access, Jump, Stmt};
use std::collections::HashSet;

impl<'u, 'a> Body<'u, 'a> {
    /// The items of a block, in the current scope. False if a `goto` leads where the IR has no
    /// place for it.
    pub fn items(&mut self, items: &'a [Node<BlockItem>]) -> bool {
        let wanted = std::mem::take(&mut self.facts.gotos);
        let complete = self.items_with(items, &wanted);
        self.facts.gotos = wanted;
        complete
    }

    /// A label that only statements before it jump to ends a block that those jumps leave.
    fn items_with(&mut self, items: &'a [Node<BlockItem>], gotos: &HashSet<&'a str>) -> bool {
        if gotos.is_empty() {
            for item in items {
                self.block_item(item);
            }
            return true;
        }
        let mut labels = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let BlockItem::Statement(statement) = &item.node else {
                continue;
            };
            let mut inner = statement;
            let mut here = HashSet::new();
            while let Statement::Labeled(labeled) = &inner.node {
                if let Label::Identifier(name) = &labeled.node.label.node {
                    here.insert(name.node.name.as_str());
                    if gotos.contains(name.node.name.as_str()) {
                        labels.push((index, name.node.name.as_str()));
                    }
                }
                inner = &labeled.node.statement;
            }
            if labels_in(statement)
                .iter()
                .any(|name| gotos.contains(name) && !here.contains(name))
            {
                return false;
            }
        }
        for &(index, name) in &labels {
            let after = super::Facts::of_items(&items[index..]);
            if after.gotos.contains(name) {
                return false;
            }
        }
        self.nested_labels(items, &labels, gotos)
    }

    fn nested_labels(
        &mut self,
        items: &'a [Node<BlockItem>],
        labels: &[(usize, &'a str)],
        gotos: &HashSet<&'a str>,
    ) -> bool {
        let Some((&(index, name), before)) = labels.split_last() else {
            let all = self.gotos.clone();
            let reachable = super::Facts::of_items(items)
                .gotos
                .iter()
                .all(|name| all.iter().any(|(known, _)| known == name));
            for item in items {
                self.block_item(item);
            }
            return reachable;
        };
        let label = self.new_label();
        self.gotos.push((name, label));
        let (block, complete) =
            self.in_block(|body| body.nested_labels(&items[..index], before, gotos));
        self.gotos.pop();
        self.emit(Stmt::Labelled { label, body: block });
        for item in &items[index..] {
            self.block_item(item);
        }
        complete
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
            Statement::If(branch) => self.branch(&branch.node),
            Statement::Switch(switch) => self.switch(&switch.node),
            Statement::While(node) => self.while_loop(&node.node),
            Statement::DoWhile(node) => self.do_loop(&node.node),
            Statement::For(node) => self.for_loop(&node.node, None),
            Statement::Return(value) => self.return_value(value.as_deref()),
            Statement::Break => self.leave(),
            Statement::Continue => self.next(),
            Statement::Goto(label) => self.goto(&label.node.name),
            Statement::Labeled(labeled) => self.labelled(&labeled.node),
            Statement::Asm(_) => self.unsupported("inline assembly"),
        }
    }

    fn expression_statement(
        &mut self,
        expression: &'a Node<Expression>,
    ) -> Lowered<()> {
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
        for item in items {
            self.block_item(item);
        }
        self.blocks.pop();
        self.unit.leave();
    }

    fn branch(&mut self, branch: &'a IfStatement) -> Lowered<()> {
        let condition = self.condition(&branch.condition)?;
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
            Some(&(_, label)) => {
                self.used_labels.insert(label);
                self.emit(Stmt::Jump(Jump::Exit(label)));
                Ok(())
            }
            None => self.unsupported("a `goto`"),
        }
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
