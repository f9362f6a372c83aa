//! Objects whose type is known at run time only.

use contraflow_ir::{Access, Allocation, Expr, ExprId, Selector, Type};

use crate::emitter::Emitter;

impl Emitter<'_> {
    /// Whether a place cannot be assigned to as a whole: the language forbids it for CLASS
    /// variables that are not allocatable.
    pub fn is_kept_as_parts(&self, target: &Access) -> bool {
        let variable = &self.procedure.variables[target.var];
        variable.polymorphic
            && variable.allocation != Allocation::Allocatable
            && !target.path.iter().any(|s| matches!(s, Selector::Field(_)))
    }

    /// Assigns the components of the declared type one by one.
    pub fn assign_parts(&mut self, target: &Access, value: ExprId) {
        let Type::Record(record) = self.procedure.variables[target.var].ty else {
            return;
        };
        let Expr::Load(source) = self.procedure.expr(value).clone() else {
            return;
        };
        for field in 0..self.module.records[record].fields.len() as u32 {
            let part = |place: &Access| {
                let mut place = place.clone();
                place.path.push(Selector::Field(field));
                place
            };
            let (target, source) = (part(target), part(&source));
            let (target, source) = (self.access(&target), self.access(&source));
            self.out.line(&format!("{target} = {source}"));
        }
    }
}
