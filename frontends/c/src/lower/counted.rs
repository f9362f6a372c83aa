//! The shape of a `for` that counts: one variable, a bound, a constant distance.

use super::facts::{Facts, identifier};
use crate::cst::{
    BinaryOperator, Expression, ForInitializer, ForStatement, Initializer, Node, UnaryOperator,
};

/// A `for` that counts.
pub(crate) struct Counted<'a> {
    pub name: &'a str,
    pub lower: &'a Node<Expression>,
    pub bound: &'a Node<Expression>,
    /// `<`, `<=`, `>`, `>=` with the variable on the left.
    pub relation: BinaryOperator,
    pub step: i128,
}

/// `name = value`.
pub(crate) fn assigned(node: &Node<Expression>) -> Option<(&str, &Node<Expression>)> {
    match &node.node {
        Expression::BinaryOperator(binary)
            if binary.node.operator.node == BinaryOperator::Assign =>
        {
            Some((identifier(&binary.node.lhs)?, &binary.node.rhs))
        }
        _ => None,
    }
}

/// The parts of a `for` that counts; whether they are fixed is another question.
pub(crate) fn counted(node: &ForStatement) -> Option<Counted<'_>> {
    let condition = node.condition.as_ref()?;
    let (name, relation, bound) = related(node, condition)?;
    let step = stepped(node.step.as_ref()?, name)?;
    let lower = initial(node, name)?;
    let upwards = matches!(relation, BinaryOperator::Less | BinaryOperator::LessOrEqual);
    let relation = match relation {
        // `i != n` in steps of one ends where `i < n` does, or never.
        BinaryOperator::NotEquals if step == 1 => BinaryOperator::Less,
        BinaryOperator::NotEquals if step == -1 => BinaryOperator::Greater,
        BinaryOperator::NotEquals => return None,
        other if upwards == (step > 0) => other,
        _ => return None,
    };
    Some(Counted {
        name,
        lower,
        bound,
        relation,
        step,
    })
}

type Relation<'a> = (&'a str, BinaryOperator, &'a Node<Expression>);

/// `name REL bound`, with the name of the variable that the step changes.
fn related<'a>(node: &'a ForStatement, condition: &'a Node<Expression>) -> Option<Relation<'a>> {
    let Expression::BinaryOperator(binary) = &condition.node else {
        return None;
    };
    let (lhs, rhs) = (&binary.node.lhs, &binary.node.rhs);
    let operator = binary.node.operator.node.clone();
    let is_relation = matches!(
        operator,
        BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::NotEquals
    );
    if !is_relation {
        return None;
    }
    let step = node.step.as_ref()?;
    if let Some(name) = identifier(lhs)
        && stepped(step, name).is_some()
    {
        return Some((name, operator, rhs));
    }
    let name = identifier(rhs)?;
    stepped(step, name)?;
    let mirrored = match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessOrEqual => BinaryOperator::GreaterOrEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterOrEqual => BinaryOperator::LessOrEqual,
        other => other,
    };
    Some((name, mirrored, lhs))
}

/// How far a step moves the variable `name`.
fn stepped(node: &Node<Expression>, name: &str) -> Option<i128> {
    match &node.node {
        Expression::UnaryOperator(unary) => {
            if identifier(&unary.node.operand) != Some(name) {
                return None;
            }
            match unary.node.operator.node {
                UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => Some(1),
                UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => Some(-1),
                _ => None,
            }
        }
        Expression::BinaryOperator(binary) => {
            if identifier(&binary.node.lhs) != Some(name) {
                return None;
            }
            let distance = match binary.node.operator.node {
                BinaryOperator::AssignPlus => literal(&binary.node.rhs)?,
                BinaryOperator::AssignMinus => -literal(&binary.node.rhs)?,
                BinaryOperator::Assign => {
                    let Expression::BinaryOperator(sum) = &binary.node.rhs.node else {
                        return None;
                    };
                    if identifier(&sum.node.lhs) != Some(name) {
                        return None;
                    }
                    match sum.node.operator.node {
                        BinaryOperator::Plus => literal(&sum.node.rhs)?,
                        BinaryOperator::Minus => -literal(&sum.node.rhs)?,
                        _ => return None,
                    }
                }
                _ => return None,
            };
            (distance != 0).then_some(distance)
        }
        _ => None,
    }
}

fn literal(node: &Node<Expression>) -> Option<i128> {
    match &node.node {
        Expression::Constant(constant) => crate::declare::constant_value(&constant.node)
            .filter(|value| i32::try_from(*value).is_ok()),
        _ => None,
    }
}

/// The value that the head gives the variable.
fn initial<'a>(node: &'a ForStatement, name: &str) -> Option<&'a Node<Expression>> {
    match &node.initializer.node {
        ForInitializer::Expression(expression) => match &expression.node {
            Expression::Comma(parts) => {
                let mut found = None;
                let mut others = Facts::default();
                for part in parts.iter() {
                    match assigned(part) {
                        Some((assigned, value)) if assigned == name && found.is_none() => {
                            found = Some(value);
                        }
                        _ => {
                            let facts = Facts::of_expression(part);
                            others.names.extend(facts.names.iter().copied());
                            others.writes.extend(facts.writes.iter());
                            others.calls |= facts.calls;
                        }
                    }
                }
                let value = found?;
                let read = Facts::of_expression(value);
                let independent = !others.calls
                    && !others.names.contains(name)
                    && read.names.iter().all(|name| others.writes_of(name) == 0);
                independent.then_some(value)
            }
            _ => assigned(expression)
                .filter(|(assigned, _)| *assigned == name)
                .map(|(_, value)| value),
        },
        ForInitializer::Declaration(declaration) => {
            let [only] = declaration.node.declarators.as_slice() else {
                return None;
            };
            let declarator = &only.node.declarator.node;
            let crate::cst::DeclaratorKind::Identifier(declared) = &declarator.kind.node else {
                return None;
            };
            if declared.node.name != name || !declarator.derived.is_empty() {
                return None;
            }
            match only.node.initializer.as_ref().map(|init| &init.node) {
                Some(Initializer::Expression(value)) => Some(value),
                _ => None,
            }
        }
        ForInitializer::Empty | ForInitializer::StaticAssert(_) => None,
    }
}

/// Whether an expression reads more than plain variables.
pub(crate) fn reads_memory(node: &Node<Expression>) -> bool {
    use crate::cst::{Span, visit, visit::Visit};
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
            self.0 |= match expression {
                Expression::Member(_) => true,
                Expression::BinaryOperator(binary) => {
                    binary.node.operator.node == BinaryOperator::Index
                }
                Expression::UnaryOperator(unary) => {
                    unary.node.operator.node == UnaryOperator::Indirection
                }
                _ => false,
            };
            visit::visit_expression(self, expression, span);
        }
    }
    let mut finder = Finder(false);
    finder.visit_expression(&node.node, &node.span);
    finder.0
}
