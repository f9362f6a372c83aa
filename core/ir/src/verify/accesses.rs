//! Accesses.

use super::Checker;
use crate::expr::{Access, Expr, Selector};
use crate::place::{Place, place_of};
use crate::source::Span;
use crate::types::Type;

impl Checker<'_> {
    /// What the access denotes, if it is right.
    pub(super) fn access(&mut self, access: &Access, span: Span) -> Option<Place> {
        for selector in &access.path {
            let Selector::Index(subscripts) = selector else {
                continue;
            };
            for &subscript in subscripts {
                let node = &self.procedure.exprs[subscript];
                let integer = node.ty.is_integer()
                    || node.ty == Type::Unknown
                    || matches!(node.expr, Expr::Range { .. });
                self.require(integer, 8, node.span, |_| {
                    format!("a subscript has type {:?}", node.ty)
                });
            }
        }
        match place_of(self.module, self.procedure, access) {
            Ok(place) => Some(place),
            Err(message) => {
                self.report(8, span, message);
                None
            }
        }
    }

    /// What the access denotes; it is going to be written.
    pub(super) fn target(&mut self, access: &Access, span: Span) -> Option<Place> {
        let place = self.access(access, span)?;
        let constant = self.procedure.variables[access.var].is_constant();
        self.require(!constant, 17, span, |c| {
            format!("the constant {} is written", c.name(access))
        });
        Some(place)
    }

    pub(super) fn name(&self, access: &Access) -> String {
        match self.procedure.variables.get(access.var) {
            Some(variable) => format!("`{}`", variable.name),
            None => format!("{:?}", access.var),
        }
    }
}
