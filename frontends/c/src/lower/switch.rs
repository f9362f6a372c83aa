//! `switch`: arms that fall through repeat what they fall into.

use super::operator::promoted;
use super::{Body, Lowered, Target};
use crate::cst::{BlockItem, Expression, Label, Node, Statement, SwitchStatement};
use contraflow_ir::{Block, CaseArm, CaseLabel, Expr, ExprId, Stmt, Type};

/// How many statements an arm may take over from the arms that it falls into.
const LONGEST_FALL: usize = 200;

/// An item of the `switch`'s block with the labels before it.
struct Labelled<'a> {
    labels: Vec<&'a Label>,
    item: Item<'a>,
}

#[derive(Clone, Copy)]
enum Item<'a> {
    Block(&'a Node<BlockItem>),
    Statement(&'a Node<Statement>),
}

impl<'u, 'a> Body<'u, 'a> {
    pub fn switch(&mut self, node: &'a SwitchStatement) -> Lowered<()> {
        let Statement::Compound(items) = &node.statement.node else {
            return self.unsupported("a `switch` without a block");
        };
        let items = labelled_items(items);
        let selector = self.scalar(&node.expression)?;
        let ty = promoted(self.type_of(selector));
        if !ty.is_integer() {
            return self.unsupported("a `switch` over something that is no integer");
        }
        let selector = self.convert(selector, ty);
        let head = self.head_span(node.expression.span);
        let label = self.new_label();
        self.targets.push(Target {
            leave: Some(label),
            next: None,
        });
        self.unit.enter();
        let arms = self.arms(&items, ty);
        self.leave_block();
        self.targets.pop();
        let (arms, default) = arms?;
        let (block, ()) = self.in_block(|body| {
            body.emit_at(
                head,
                Stmt::Switch {
                    selector,
                    arms,
                    default,
                },
            );
        });
        match self.if_used(label) {
            Some(label) => {
                self.emit(Stmt::Labelled { label, body: block });
            }
            None => self.block.extend(block),
        }
        Ok(())
    }

    fn arms(&mut self, items: &[Labelled<'a>], ty: Type) -> Lowered<(Vec<CaseArm>, Block)> {
        let mut arms = Vec::new();
        let mut default = Vec::new();
        for (index, labelled) in items.iter().enumerate() {
            if labelled.labels.is_empty() {
                if index == 0
                    && !matches!(labelled.item, Item::Block(block) if matches!(block.node, BlockItem::Declaration(_)))
                {
                    return self.unsupported("a statement before the first `case`");
                }
                continue;
            }
            let mut values = Vec::new();
            let mut is_default = false;
            for label in &labelled.labels {
                match label {
                    Label::Case(value) => {
                        values.push(CaseLabel::Value(self.case_value(value, ty)?))
                    }
                    Label::CaseRange(range) => {
                        let low = self.case_value(&range.node.low, ty)?;
                        let high = self.case_value(&range.node.high, ty)?;
                        values.push(CaseLabel::Range(Some(low), Some(high)));
                    }
                    Label::Default => is_default = true,
                    Label::Identifier(_) => {
                        return self.unsupported("a `goto` label in a `switch`");
                    }
                }
            }
            let body = self.arm(&items[index..])?;
            if is_default {
                // Values that share the default's arm need none of their own.
                default = body;
            } else {
                arms.push(CaseArm {
                    labels: values,
                    body,
                });
            }
        }
        Ok((arms, default))
    }

    pub(super) fn case_value(&mut self, node: &'a Node<Expression>, ty: Type) -> Lowered<ExprId> {
        match self.unit.constant(node) {
            Some(value) => Ok(self.expr(Expr::Integer(value), ty)),
            None => self.unsupported("a `case` that is no constant"),
        }
    }

    /// What is executed from the first of `items` to the end of the arm.
    fn arm(&mut self, items: &[Labelled<'a>]) -> Lowered<Block> {
        self.unit.enter();
        let (block, long) = self.in_block(|body| {
            for (count, labelled) in items.iter().enumerate() {
                if count > LONGEST_FALL {
                    return true;
                }
                let ended = match labelled.item {
                    Item::Block(item) => match &item.node {
                        BlockItem::Statement(statement) => body.arm_statement(statement),
                        _ => {
                            body.block_item(item);
                            false
                        }
                    },
                    Item::Statement(statement) => body.arm_statement(statement),
                };
                if ended {
                    return false;
                }
            }
            false
        });
        self.leave_block();
        if long {
            return self.unsupported("a `switch` whose arms fall through too far");
        }
        Ok(block)
    }

    /// A statement of an arm; whether the arm ends with it.
    fn arm_statement(&mut self, node: &'a Node<Statement>) -> bool {
        match &node.node {
            Statement::Break => true,
            Statement::Return(_) | Statement::Continue | Statement::Goto(_) => {
                self.statement(node);
                true
            }
            Statement::Compound(items) => match items.last().map(|item| &item.node) {
                Some(BlockItem::Statement(Node {
                    node: Statement::Break,
                    ..
                })) => {
                    self.compound(&items[..items.len() - 1]);
                    true
                }
                Some(BlockItem::Statement(Node {
                    node: Statement::Return(_) | Statement::Continue,
                    ..
                })) => {
                    self.statement(node);
                    true
                }
                _ => {
                    self.statement(node);
                    false
                }
            },
            _ => {
                self.statement(node);
                false
            }
        }
    }
}

/// The items of a block, with the `case`s before each taken off.
fn labelled_items(items: &[Node<BlockItem>]) -> Vec<Labelled<'_>> {
    items
        .iter()
        .map(|item| {
            let BlockItem::Statement(statement) = &item.node else {
                return Labelled {
                    labels: Vec::new(),
                    item: Item::Block(item),
                };
            };
            let (mut labels, mut inner) = (Vec::new(), statement);
            while let Statement::Labeled(labeled) = &inner.node {
                if matches!(labeled.node.label.node, Label::Identifier(_)) {
                    break;
                }
                labels.push(&labeled.node.label.node);
                inner = &labeled.node.statement;
            }
            Labelled {
                labels,
                item: Item::Statement(inner),
            }
        })
        .collect()
}
