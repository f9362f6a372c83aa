//! How long the characters are that a function returns, where its declaration says it by the
//! arguments: `character(len=len(text)) :: upper`. The temporary that takes the value is declared
//! with that length, so only what is known at entry counts.

use super::expr::Applied;
use super::invoke::Invocation;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use crate::declare::scope::{ExprRef, Length, ScopeId};
use contraflow_ir::{Access, Allocation, BinaryOp, Expr, ExprId, Storage, Type, VarId};

const NOT_CONSTANT: &str = "a function whose characters have no constant length";

impl Lowerer<'_> {
    /// The length of the characters that a function returns.
    pub(super) fn result_length(&mut self, e: Syn, call: &Invocation) -> Fallible<ExprId> {
        let own = call.target.scope.and_then(|scope| {
            let result = self.program.scopes[scope].result.clone()?;
            Some((scope, result))
        });
        let places = own.into_iter().chain([(self.scope, call.name.clone())]);
        for (scope, name) in places {
            let Some(found) = self.program.find(scope, &name) else {
                continue;
            };
            let (at, symbol) = (found.scope, found.symbol.clone());
            let Some(ty) = symbol.ty.as_ref() else {
                continue;
            };
            match &ty.length {
                None => return Ok(self.int(1)),
                Some(Length::Expr(length)) => {
                    if let Some(length) = self.program.integer(at, length) {
                        return Ok(self.int(length));
                    }
                    return self.length_by_arguments(e, call, at, length);
                }
                Some(Length::Assumed) => {}
            }
        }
        refuse(NOT_CONSTANT)
    }

    /// The value of a length that is declared in the callee.
    fn length_by_arguments(
        &mut self,
        e: Syn,
        call: &Invocation,
        scope: ScopeId,
        length: &ExprRef,
    ) -> Fallible<ExprId> {
        if let Some(value) = self.program.integer(scope, length) {
            return Ok(self.int(value));
        }
        let part = |node: NodeId| ExprRef {
            tree: length.tree.clone(),
            node,
        };
        match length.tree.syntax(length.node).clone() {
            Syntax::Parenthesized(inner) => self.length_by_arguments(e, call, scope, &part(inner)),
            Syntax::Binary(
                op @ (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply),
                left,
                right,
            ) => {
                let left = self.length_by_arguments(e, call, scope, &part(left))?;
                let right = self.length_by_arguments(e, call, scope, &part(right))?;
                Ok(self.add(Expr::Binary(op, left, right), Type::INT))
            }
            Syntax::Apply(base, items) if length.tree.text(base) == "len" && items.len() == 1 => {
                let callee = &self.program.scopes[scope];
                let dummy = length.tree.text(items[0]);
                let position = callee.arguments.iter().position(|name| name == dummy);
                let order = self.match_arguments(callee, e, &call.actuals, call.passed)?;
                match position.and_then(|at| order[at]) {
                    Some(node) => self.length_at_entry(Syn { tree: e.tree, node }),
                    None => refuse(NOT_CONSTANT),
                }
            }
            _ => refuse(NOT_CONSTANT),
        }
    }

    /// The length of characters, as far as it is known at entry.
    fn length_at_entry(&mut self, e: Syn) -> Fallible<ExprId> {
        let sub = |node| Syn { tree: e.tree, node };
        match e.tree.syntax(e.node).clone() {
            Syntax::Parenthesized(inner) => self.length_at_entry(sub(inner)),
            Syntax::Text => {
                let literal = self.text_literal(e)?;
                let count = match self.procedure.expr(literal) {
                    Expr::Text(text) => text.len(),
                    _ => return refuse(NOT_CONSTANT),
                };
                Ok(self.int(count as i128))
            }
            Syntax::Binary(BinaryOp::Concatenate, left, right) => {
                let left = self.length_at_entry(sub(left))?;
                let right = self.length_at_entry(sub(right))?;
                Ok(self.add(Expr::Binary(BinaryOp::Add, left, right), Type::INT))
            }
            Syntax::Name if self.association(e.tree.text(e.node)).is_none() => {
                let var = self.named(e.tree.text(e.node))?;
                self.variable_length(var)
            }
            Syntax::Apply(base, items) => {
                if let Some(call) = self.invocation(e)? {
                    return self.result_length(e, &call);
                }
                let is_section = |&node: &NodeId| matches!(e.tree.syntax(node), Syntax::Range(..));
                let name = e.tree.text(base);
                let is_element = *e.tree.syntax(base) == Syntax::Name
                    && matches!(self.applied(name), Applied::Array)
                    && self.association(name).is_none()
                    && !items.iter().any(is_section);
                match is_element {
                    true => {
                        let var = self.named(name)?;
                        self.variable_length(var)
                    }
                    false => refuse(NOT_CONSTANT),
                }
            }
            _ => refuse(NOT_CONSTANT),
        }
    }

    fn variable_length(&mut self, var: VarId) -> Fallible<ExprId> {
        let variable = self.variable(var);
        if variable.ty != Type::Character || variable.allocation != Allocation::Fixed {
            return refuse(NOT_CONSTANT);
        }
        let is_given = matches!(variable.storage, Storage::Argument { .. }) && !variable.optional;
        let text = format!("len({})", variable.name);
        let length = variable.length;
        match length {
            Some(length) if self.build().integer_value(length).is_some() => Ok(length),
            None if is_given => {
                let reads = vec![Access::whole(var)];
                Ok(self.add(Expr::Opaque { text, reads }, Type::INT))
            }
            _ => refuse(NOT_CONSTANT),
        }
    }
}
