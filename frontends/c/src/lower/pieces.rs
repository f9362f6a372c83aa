//! Statements with jumps that do not nest, as pieces of a graph: one from each label to the next.
//! Constructs that are jumped into are taken apart, with jumps of their own; all others stay whole.
//! [`contraflow_ir::structure::join`] makes loops and conditions of the pieces.

use super::facts::{Facts, has_case};
use super::operator::promoted;
use super::{Body, Known, Lowered, Representation, Target};
use crate::cst::{
    BlockItem, Expression, ForInitializer, ForStatement, IfStatement, Label, LabeledStatement,
    Node, Span, Statement, SwitchStatement, visit, visit::Visit,
};
use crate::declare::CType;
use contraflow_ir::structure::{Piece, join};
use contraflow_ir::{
    Block, CaseArm, CaseLabel, ExprId, Jump, JumpLabel, Procedure, Stmt, Type, Variable,
};
use std::collections::HashMap;

/// What is taken apart.
#[derive(Clone, Copy)]
pub(super) enum Run<'a> {
    Items(&'a [Node<BlockItem>]),
    Statement(&'a Node<Statement>),
}

/// The pieces so far.
struct Draft<'a> {
    done: Vec<Piece>,
    /// Where the piece starts that is being lowered.
    label: JumpLabel,
    /// The labels that start pieces.
    places: HashMap<&'a str, JumpLabel>,
    /// The same of the `case`s of a `switch` that is taken apart, by their place in the text.
    cases: HashMap<usize, JumpLabel>,
}

impl<'u, 'a> Body<'u, 'a> {
    /// Whether the jumps among the items of a block lead ahead to the end of what they leave, or
    /// back to the head of what they repeat. `labels` are the labels among the items.
    pub(super) fn jumps_nest(
        &self,
        items: &'a [Node<BlockItem>],
        labels: &[(usize, &'a str)],
    ) -> bool {
        !items.iter().any(|item| self.is_item_entered(item)) && labels_nest(items, labels, 0)
    }

    fn is_item_entered(&self, item: &'a Node<BlockItem>) -> bool {
        matches!(&item.node, BlockItem::Statement(statement)
            if self.is_entered(unlabelled(statement)))
    }

    /// Whether a `goto` from outside leads into a statement.
    pub(super) fn is_entered(&self, node: &'a Node<Statement>) -> bool {
        if self.facts.gotos.is_empty() {
            return false;
        }
        let mut labels = Labels(Vec::new());
        labels.visit_statement(&node.node, &node.span);
        if labels.0.is_empty() {
            return false;
        }
        let inside = Facts::of_statement(node).gotos;
        labels
            .0
            .iter()
            .any(|&name| self.facts.gotos.get(name) > inside.get(name))
    }

    /// Whether a `goto` leads from one arm of a condition into the other.
    pub(super) fn crosses(&self, branch: &'a IfStatement) -> bool {
        let otherwise = branch.else_statement.as_deref();
        self.is_entered(&branch.then_statement)
            || otherwise.is_some_and(|node| self.is_entered(node))
    }

    /// Lowers statements as pieces.
    pub(super) fn pieces(&mut self, run: Run<'a>) -> Lowered<()> {
        let outer = std::mem::take(&mut self.block);
        let (gotos, targets) = (self.gotos.len(), self.targets.len());
        let mut draft = Draft {
            done: Vec::new(),
            label: self.new_label(),
            places: HashMap::new(),
            cases: HashMap::new(),
        };
        self.note_labels(run, &mut draft);
        let done = self.take_apart(run, &mut draft);
        let last = self.new_label();
        self.begin(last, &mut draft);
        self.gotos.truncate(gotos);
        self.targets.truncate(targets);
        self.block = outer;
        self.lost_goto |= done.is_err() && !draft.places.is_empty();
        done?;
        let joined = self.joined(draft.done);
        self.block.extend(joined);
        Ok(())
    }

    fn joined(&mut self, pieces: Vec<Piece>) -> Block {
        let mut next = self.next_label;
        let (names, known) = (&mut self.names, &mut self.known);
        let block = join(
            &mut self.procedure,
            pieces,
            &mut || {
                next += 1;
                JumpLabel(next - 1)
            },
            &mut |procedure: &mut Procedure| {
                known.push(Known {
                    ty: CType::Scalar(Type::INT),
                    representation: Representation::Plain,
                    source_name: "",
                });
                let name = super::unique(names, "state");
                procedure.variables.add(Variable::scalar(name, Type::INT))
            },
        );
        self.next_label = next;
        block
    }

    fn note_labels(&mut self, run: Run<'a>, draft: &mut Draft<'a>) {
        match run {
            Run::Items(items) => {
                for item in items {
                    if let BlockItem::Statement(statement) = &item.node {
                        self.note_labels(Run::Statement(statement), draft);
                    }
                }
            }
            Run::Statement(node) => {
                if let Statement::Labeled(labeled) = &node.node {
                    if let Label::Identifier(name) = &labeled.node.label.node
                        && self.facts.gotos.contains_key(name.node.name.as_str())
                    {
                        let label = self.new_label();
                        draft.places.insert(&name.node.name, label);
                        self.gotos.push((&name.node.name, Jump::Exit(label)));
                    }
                    return self.note_labels(Run::Statement(&labeled.node.statement), draft);
                }
                if self.is_apart(node) {
                    for part in parts(node) {
                        self.note_labels(part, draft);
                    }
                }
            }
        }
    }

    /// Whether a statement cannot stay whole.
    fn is_apart(&self, node: &'a Node<Statement>) -> bool {
        let crosses = match &node.node {
            Statement::If(branch) => self.crosses(&branch.node),
            Statement::Switch(switch) => needs_pieces(&switch.node),
            _ => false,
        };
        crosses || self.is_entered(node) || has_case(node)
    }

    /// Ends the piece that is being lowered, and begins another.
    fn begin(&mut self, label: JumpLabel, draft: &mut Draft<'a>) {
        let label = std::mem::replace(&mut draft.label, label);
        let body = std::mem::take(&mut self.block);
        draft.done.push(Piece { label, body });
    }

    fn take_apart(&mut self, run: Run<'a>, draft: &mut Draft<'a>) -> Lowered<()> {
        match run {
            Run::Items(items) => items.iter().try_for_each(|item| match &item.node {
                BlockItem::Statement(statement) => {
                    self.take_apart(Run::Statement(statement), draft)
                }
                _ => {
                    self.block_item(item);
                    Ok(())
                }
            }),
            Run::Statement(node) => match &node.node {
                Statement::Labeled(labeled) => self.labelled_piece(&labeled.node, draft),
                _ if self.is_apart(node) => {
                    let span = self.unit.span(node.span);
                    let outer = match span.is_some() {
                        true => std::mem::replace(&mut self.span, span),
                        false => self.span,
                    };
                    let done = self.entered(node, draft);
                    self.span = outer;
                    done
                }
                _ => {
                    self.statement(node);
                    Ok(())
                }
            },
        }
    }

    fn labelled_piece(
        &mut self,
        labeled: &'a LabeledStatement,
        draft: &mut Draft<'a>,
    ) -> Lowered<()> {
        let place = match &labeled.label.node {
            Label::Identifier(name) => draft.places.get(name.node.name.as_str()).copied(),
            _ => draft.cases.get(&labeled.label.span.start).copied(),
        };
        if let Some(place) = place {
            self.begin(place, draft);
        }
        self.take_apart(Run::Statement(&labeled.statement), draft)
    }

    /// A statement that is jumped into.
    fn entered(&mut self, node: &'a Node<Statement>, draft: &mut Draft<'a>) -> Lowered<()> {
        match &node.node {
            Statement::Compound(items) => {
                self.unit.enter();
                self.blocks.push(items);
                let done = self.take_apart(Run::Items(items), draft);
                self.blocks.pop();
                self.leave_block();
                done
            }
            Statement::If(branch) => self.entered_if(&branch.node, draft),
            Statement::While(node) => {
                let node = &node.node;
                self.entered_loop(Some(&node.expression), None, &node.statement, draft)
            }
            Statement::DoWhile(node) => {
                let node = &node.node;
                let (again, end, next) = (self.new_label(), self.new_label(), self.new_label());
                self.begin(again, draft);
                self.entered_body(&node.statement, end, next, draft)?;
                self.begin(next, draft);
                let condition = self.condition(&node.expression)?;
                self.go_unless(condition, end);
                self.go(again);
                self.begin(end, draft);
                Ok(())
            }
            Statement::For(node) => {
                self.unit.enter();
                let done = self.entered_for(&node.node, draft);
                self.leave_block();
                done
            }
            Statement::Switch(switch) => self.entered_switch(&switch.node, draft),
            _ => {
                self.statement(node);
                Ok(())
            }
        }
    }

    fn go(&mut self, label: JumpLabel) {
        self.emit(Stmt::Jump(Jump::Exit(label)));
    }

    /// Goes to `label` unless the condition holds.
    fn go_unless(&mut self, condition: ExprId, label: JumpLabel) {
        let condition = self.builder().not(condition);
        let (then, ()) = self.in_block(|body| body.go(label));
        self.emit(Stmt::If {
            condition,
            then,
            otherwise: Vec::new(),
        });
    }

    fn entered_if(&mut self, branch: &'a IfStatement, draft: &mut Draft<'a>) -> Lowered<()> {
        let (otherwise, end) = (self.new_label(), self.new_label());
        let condition = self.condition(&branch.condition)?;
        self.go_unless(condition, otherwise);
        self.take_apart(Run::Statement(&branch.then_statement), draft)?;
        self.go(end);
        self.begin(otherwise, draft);
        if let Some(statement) = &branch.else_statement {
            self.take_apart(Run::Statement(statement), draft)?;
        }
        self.begin(end, draft);
        Ok(())
    }

    fn entered_for(&mut self, node: &'a ForStatement, draft: &mut Draft<'a>) -> Lowered<()> {
        match &node.initializer.node {
            ForInitializer::Expression(expression) => self.effects(expression)?,
            ForInitializer::Declaration(declaration) => self.local_declaration(declaration),
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
        }
        let (condition, step) = (node.condition.as_deref(), node.step.as_deref());
        self.entered_loop(condition, step, &node.statement, draft)
    }

    fn entered_loop(
        &mut self,
        condition: Option<&'a Node<Expression>>,
        step: Option<&'a Node<Expression>>,
        body: &'a Node<Statement>,
        draft: &mut Draft<'a>,
    ) -> Lowered<()> {
        let (test, end, next) = (self.new_label(), self.new_label(), self.new_label());
        self.begin(test, draft);
        if let Some(condition) = condition {
            let condition = self.condition(condition)?;
            self.go_unless(condition, end);
        }
        self.entered_body(body, end, next, draft)?;
        self.begin(next, draft);
        if let Some(step) = step {
            self.effects(step)?;
        }
        self.go(test);
        self.begin(end, draft);
        Ok(())
    }

    fn entered_body(
        &mut self,
        body: &'a Node<Statement>,
        end: JumpLabel,
        next: JumpLabel,
        draft: &mut Draft<'a>,
    ) -> Lowered<()> {
        self.targets.push(Target {
            leave: Some(end),
            next: Some(Jump::Exit(next)),
        });
        let done = self.take_apart(Run::Statement(body), draft);
        self.targets.pop();
        done
    }

    fn entered_switch(&mut self, node: &'a SwitchStatement, draft: &mut Draft<'a>) -> Lowered<()> {
        let selector = self.scalar(&node.expression)?;
        let ty = promoted(self.type_of(selector));
        if !ty.is_integer() {
            return self.unsupported("a `switch` over something that is no integer");
        }
        let selector = self.convert(selector, ty);
        let end = self.new_label();
        let mut default = end;
        let mut arms = Vec::new();
        let mut cases = Cases(Vec::new());
        cases.visit_statement(&node.statement.node, &node.statement.span);
        for (at, case) in cases.0 {
            let label = self.new_label();
            draft.cases.insert(at, label);
            let labels = match case {
                Label::Case(value) => vec![CaseLabel::Value(self.case_value(value, ty)?)],
                Label::CaseRange(range) => {
                    let low = self.case_value(&range.node.low, ty)?;
                    let high = self.case_value(&range.node.high, ty)?;
                    vec![CaseLabel::Range(Some(low), Some(high))]
                }
                Label::Default => {
                    default = label;
                    continue;
                }
                Label::Identifier(_) => continue,
            };
            let (body, ()) = self.in_block(|body| body.go(label));
            arms.push(CaseArm { labels, body });
        }
        let (default, ()) = self.in_block(|body| body.go(default));
        self.emit(Stmt::Switch {
            selector,
            arms,
            default,
        });
        let before = self.new_label();
        self.begin(before, draft);
        self.targets.push(Target {
            leave: Some(end),
            next: None,
        });
        let done = self.take_apart(Run::Statement(&node.statement), draft);
        self.targets.pop();
        self.begin(end, draft);
        done
    }
}

/// Whether a `switch` has `goto` labels in its block, `case`s inside other statements, or statements
/// before its first `case`.
pub(super) fn needs_pieces(node: &SwitchStatement) -> bool {
    let Statement::Compound(items) = &node.statement.node else {
        return true;
    };
    items.iter().enumerate().any(|(index, item)| {
        let BlockItem::Statement(statement) = &item.node else {
            return false;
        };
        let mut inner = statement;
        while let Statement::Labeled(labeled) = &inner.node {
            if matches!(labeled.node.label.node, Label::Identifier(_)) {
                return true;
            }
            inner = &labeled.node.statement;
        }
        let is_labelled = matches!(statement.node, Statement::Labeled(_));
        has_case(inner) || (index == 0 && !is_labelled)
    })
}

/// The statements in a construct.
fn parts(node: &Node<Statement>) -> Vec<Run<'_>> {
    match &node.node {
        Statement::Compound(items) => vec![Run::Items(items)],
        Statement::If(branch) => {
            let then = std::iter::once(&*branch.node.then_statement);
            then.chain(branch.node.else_statement.as_deref())
                .map(Run::Statement)
                .collect()
        }
        Statement::While(node) => vec![Run::Statement(&node.node.statement)],
        Statement::DoWhile(node) => vec![Run::Statement(&node.node.statement)],
        Statement::For(node) => vec![Run::Statement(&node.node.statement)],
        Statement::Switch(node) => vec![Run::Statement(&node.node.statement)],
        _ => Vec::new(),
    }
}

/// A statement without its labels.
fn unlabelled(mut node: &Node<Statement>) -> &Node<Statement> {
    while let Statement::Labeled(labeled) = &node.node {
        node = &labeled.node.statement;
    }
    node
}

/// Whether no jump leads past a label that begins a loop, to one behind it.
fn labels_nest<'a>(items: &'a [Node<BlockItem>], labels: &[(usize, &'a str)], from: usize) -> bool {
    let jumps_back = |&(index, name): &(usize, &'a str)| {
        Facts::of_items(&items[index..]).gotos.contains_key(name)
    };
    let Some(which) = labels.iter().position(jumps_back) else {
        return true;
    };
    let before = Facts::of_items(&items[from..labels[which].0]).gotos;
    let rest = &labels[which + 1..];
    !rest.iter().any(|(_, name)| before.contains_key(name))
        && labels_nest(items, rest, labels[which].0)
}

/// The `goto` labels in a statement.
struct Labels<'a>(Vec<&'a str>);

impl<'a> Visit<'a> for Labels<'a> {
    fn visit_labeled_statement(&mut self, labeled: &'a LabeledStatement, span: &'a Span) {
        if let Label::Identifier(name) = &labeled.label.node {
            self.0.push(&name.node.name);
        }
        visit::visit_labeled_statement(self, labeled, span);
    }
}

/// The `case`s of a `switch`, with their places in the text.
struct Cases<'a>(Vec<(usize, &'a Label)>);

impl<'a> Visit<'a> for Cases<'a> {
    fn visit_labeled_statement(&mut self, labeled: &'a LabeledStatement, span: &'a Span) {
        if !matches!(labeled.label.node, Label::Identifier(_)) {
            self.0.push((labeled.label.span.start, &labeled.label.node));
        }
        visit::visit_labeled_statement(self, labeled, span);
    }
    fn visit_switch_statement(&mut self, _: &'a SwitchStatement, _: &'a Span) {}
}
