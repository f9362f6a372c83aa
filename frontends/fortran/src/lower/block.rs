//! BLOCK: declarations move to the procedure, under names that nothing else has. Arrays whose size is
//! only known at the head are allocated there.

use super::{Fallible, Lowerer, refuse};
use crate::declare::scope::{ScopeId, Symbol, Upper, What};
use crate::syntax::blocks::Construct;
use contraflow_ir::{
    Access, Allocation, Dim, Expr, ExprId, Extent, Stmt, Storage, Type, UnaryOp, VarId,
};
use std::collections::HashSet;

impl Lowerer<'_> {
    /// Whether a scope is the procedure's own, or that of an open BLOCK.
    pub(super) fn is_own_scope(&self, scope: ScopeId) -> bool {
        scope == self.home || self.blocks.contains(&scope)
    }

    pub(super) fn block_construct(&mut self, construct: &Construct) -> Fallible<()> {
        let head = construct.arms[0].head;
        self.statement = head;
        self.span = self.statement_at(head).place();
        let file = self.program.scopes[self.home].file;
        let Some(scope) = self.program.block_at(file, head) else {
            return refuse("a block whose declarations are not read");
        };
        let here = &self.program.scopes[scope];
        if !here.uses.is_empty() || !here.data.is_empty() || !here.commons.is_empty() {
            return refuse("a block with USE, DATA or COMMON");
        }
        let keeps = here
            .symbols
            .values()
            .any(|symbol| symbol.is_saved || (symbol.init.is_some() && !symbol.is_parameter));
        if keeps || here.saves_all {
            return refuse("a variable of a block that keeps its value");
        }
        let outer = std::mem::replace(&mut self.here, scope);
        self.blocks.push(scope);
        self.scope = scope;
        let hidden = here
            .symbols
            .keys()
            .map(|name| (name.clone(), None))
            .collect();
        self.associations.push(hidden);
        self.local_names.push(HashSet::new());
        let depth = self.substitutions.len();
        if let Some(mut indices) = self.substitutions.last().cloned() {
            indices.retain(|name, _| !here.symbols.contains_key(name));
            self.substitutions.push(indices);
        }
        let result = self.block_body(construct, scope);
        self.substitutions.truncate(depth);
        self.local_names.pop();
        self.associations.pop();
        self.blocks.pop();
        self.here = outer;
        self.scope = outer;
        result
    }

    fn block_body(&mut self, construct: &Construct, scope: ScopeId) -> Fallible<()> {
        let mut made = Vec::new();
        let names = self.program.scopes[scope].order.clone();
        for name in names {
            let symbol = self.program.scopes[scope].symbols[&name].clone();
            if symbol.what == What::Entity && !symbol.is_external && !symbol.is_intrinsic {
                made.extend(self.block_variable(&name, &symbol)?);
            }
        }
        let name = self.construct_name(construct);
        let mut body = self.enclosed(name, false, true, |lowerer| {
            lowerer.nodes(&construct.arms[0].body);
        });
        self.still_quotable()?;
        self.release_where_left(&made, &mut body.block, body.exit);
        self.labelled(body.exit, body.block);
        let released = self.released(&made);
        self.out.extend(released);
        Ok(())
    }

    /// Names a variable of the block. Gives it back if it must be released at the end, and whether it
    /// certainly has memory then.
    fn block_variable(&mut self, name: &str, symbol: &Symbol) -> Fallible<Option<(VarId, bool)>> {
        let var = self.named(name)?;
        if symbol.is_parameter {
            return Ok(None);
        }
        if symbol.is_allocatable {
            return Ok(Some((var, false)));
        }
        let is_text = self.variable(var).ty == Type::Character;
        if is_text {
            let length = self.variable(var).length;
            if length.is_none_or(|length| self.build().integer_value(length).is_none()) {
                return refuse("a character of a block whose length is not constant");
            }
        }
        let is_array = symbol
            .dims
            .iter()
            .all(|dim| matches!(dim.upper, Upper::Expr(_)));
        if symbol.dims.is_empty() || !is_array || self.variable(var).storage != Storage::Local {
            return Ok(None);
        }
        let shape = self.variable(var).shape.clone();
        let mut bounds = Vec::new();
        let mut is_known = true;
        for dim in &shape {
            let Extent::Count(count) = dim.extent else {
                return refuse("an array of a block whose size is not known");
            };
            is_known &= self.known_at_entry(dim.lower) && self.known_at_entry(count);
            bounds.push((Some(dim.lower), self.not_negative(count)));
        }
        if is_known {
            return Ok(None);
        }
        let one = self.int(1);
        let variable = &mut self.procedure.variables[var];
        variable.allocation = Allocation::Allocatable;
        for dim in &mut variable.shape {
            *dim = Dim {
                lower: one,
                extent: Extent::Deferred,
            };
        }
        self.emit(Stmt::Allocate {
            target: Access::whole(var),
            shape: bounds,
            zeroed: false,
        });
        Ok(Some((var, true)))
    }

    /// A name for a variable of a block that nothing else in the procedure has.
    pub(super) fn name_in_block(&mut self, name: &str, scope: ScopeId) -> String {
        let mut taken = HashSet::new();
        self.take_scope_names(&mut taken, self.home);
        let variables = self.procedure.variables.iter();
        taken.extend(variables.map(|(_, variable)| variable.name.to_ascii_lowercase()));
        let key = name.to_ascii_lowercase();
        // A name without declaration may come up later.
        let is_clear = !taken.contains(&key) && self.program.implicit_type(scope, &key).is_none();
        if is_clear {
            return name.to_owned();
        }
        if let Some(names) = self.local_names.last_mut() {
            names.insert(key.clone());
        }
        (1u32..)
            .map(|number| format!("{name}_{number}"))
            .find(|name| !taken.contains(&name.to_ascii_lowercase()))
            .unwrap_or_else(|| name.to_owned())
    }

    fn not_negative(&mut self, count: ExprId) -> ExprId {
        match *self.procedure.expr(count) {
            Expr::Integer(_) | Expr::Load(_) | Expr::Bound { .. } => count,
            Expr::Unary(UnaryOp::Negate, _) => self.int(0),
            _ => count,
        }
    }
}
