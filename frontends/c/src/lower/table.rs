//! Calls through a constant table of functions: `table[i](x)` becomes a `switch` over `i`.

use super::{Body, Lowered, Value};
use crate::cst::{BinaryOperator, CallExpression, Expression, Initializer, Node};
use crate::declare::Symbol;
use contraflow_ir::{Access, CaseArm, CaseLabel, Stmt};

/// Longer tables are not taken apart.
const LONGEST_TABLE: usize = 64;

/// The functions of a table in order, and the subscript.
pub struct Table<'a> {
    functions: Vec<usize>,
    subscript: &'a Node<Expression>,
}

impl<'u, 'a> Body<'u, 'a> {
    /// The table that a called expression takes a function from.
    pub fn table(&self, callee: &'a Node<Expression>) -> Option<Table<'a>> {
        let Expression::BinaryOperator(binary) = &callee.node else {
            return None;
        };
        if binary.node.operator.node != BinaryOperator::Index {
            return None;
        }
        let name = super::facts::identifier(&binary.node.lhs)?;
        let Some(&Symbol::Global(index)) = self.unit.lookup(name) else {
            return None;
        };
        let global = &self.unit.globals[index];
        let Initializer::List(items) = global.initializer.filter(|_| global.is_const)? else {
            return None;
        };
        let function = |item: &'a Node<crate::cst::InitializerListItem>| {
            let Initializer::Expression(value) = &item.node.initializer.node else {
                return None;
            };
            let value = match &value.node {
                Expression::UnaryOperator(address)
                    if address.node.operator.node == crate::cst::UnaryOperator::Address =>
                {
                    &address.node.operand
                }
                _ => value,
            };
            match self.unit.lookup(super::facts::identifier(value)?) {
                Some(&Symbol::Function(index)) if item.node.designation.is_empty() => Some(index),
                _ => None,
            }
        };
        let functions: Vec<usize> = items.iter().map(function).collect::<Option<_>>()?;
        (1..=LONGEST_TABLE)
            .contains(&functions.len())
            .then_some(Table {
                functions,
                subscript: &binary.node.rhs,
            })
    }

    /// A call through a table; its value, if it gives one.
    pub fn call_table(
        &mut self,
        table: &Table<'a>,
        call: &'a CallExpression,
    ) -> Lowered<Value<'a>> {
        if let Some(at) = self.unit.constant(table.subscript) {
            let entry = usize::try_from(at)
                .ok()
                .and_then(|at| table.functions.get(at));
            return match entry {
                Some(&function) => self.call_function(function, call),
                None => self.unsupported("a subscript outside of a table"),
            };
        }
        let selector = self.scalar(table.subscript)?;
        let selector = self.whole_number(selector)?;
        let ty = self.type_of(selector);
        let mut result: Option<(Access, Value<'a>)> = None;
        let mut arms = Vec::new();
        for (at, &function) in table.functions.iter().enumerate() {
            let (body, value) = self.in_block(|body| body.call_function(function, call));
            let mut body = body;
            match (value?, &result) {
                (Value::Void, None) => {}
                (Value::Scalar(value), None) => {
                    let value_type = self.type_of(value);
                    let target = self.temporary("chosen", value_type);
                    let load = self.load(target);
                    let (more, ()) =
                        self.in_block(|body| body.assign(Access::whole(target), value));
                    body.extend(more);
                    result = Some((Access::whole(target), Value::Scalar(load)));
                }
                (Value::Scalar(value), Some((target, _))) => {
                    let target = target.clone();
                    let (more, ()) = self.in_block(|body| body.assign(target, value));
                    body.extend(more);
                }
                _ => return self.unsupported("a table of functions that give addresses"),
            }
            let label = self.builder().int_of(at as i128, ty);
            arms.push(CaseArm {
                labels: vec![CaseLabel::Value(label)],
                body,
            });
        }
        // Another subscript would be undefined.
        let default = arms.pop().map(|arm| arm.body).unwrap_or_default();
        self.emit(Stmt::Switch {
            selector,
            arms,
            default,
        });
        Ok(result.map_or(Value::Void, |(_, value)| value))
    }
}
