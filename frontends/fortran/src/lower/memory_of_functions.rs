//! Functions whose value is memory, a pointer or an allocatable: `p => view(field, i)`, `y = made(x)`.
//!
//! The procedure is a subroutine that gets the memory as its last argument
//! ([`Procedure::gives`](contraflow_ir::Procedure)). A call puts it into a temporary; what an
//! allocatable holds is released after the statement.

use super::invoke::{Invocation, Target};
use super::{Fallible, Lowerer, Syn, refuse};
use crate::declare::Program;
use crate::declare::scope::{Base, ScopeId, Symbol};
use contraflow_ir::{
    Access, Allocation, Dim, Extent, PointerBounds, Stmt, Storage, Type, VarId, Variable,
};

impl Program {
    /// The kind of memory that a function with a body gives; `None` if its value is plain.
    fn memory_given(&self, scope: ScopeId) -> Option<Allocation> {
        let function = &self.scopes[scope];
        let is_whole = function.entry.is_none() && function.entries.is_empty();
        if function.is_interface || !is_whole {
            return None;
        }
        memory_of(self.result_of(scope)?)
    }

    fn result_of(&self, scope: ScopeId) -> Option<&Symbol> {
        let function = &self.scopes[scope];
        function.symbols.get(function.result.as_deref()?)
    }
}

/// The kind of memory that a result stands for.
fn memory_of(result: &Symbol) -> Option<Allocation> {
    let is_plain = result.ty.as_ref().is_none_or(|ty| {
        !matches!(ty.base, Base::Character | Base::Procedure(_)) && !result.is_class()
    });
    Some(result.allocation()).filter(|allocation| is_plain && *allocation != Allocation::Fixed)
}

impl Lowerer<'_> {
    /// Makes the result of such a function its last argument; says whether it is one.
    pub(super) fn memory_argument(&mut self, result: VarId, arguments: &mut Vec<VarId>) -> bool {
        if self.program.memory_given(self.scope).is_none() {
            return false;
        }
        let index = arguments.len() as u32;
        self.procedure.variables[result].storage = Storage::Argument { index };
        self.procedure.gives = Some(result);
        arguments.push(result);
        true
    }

    /// Whether a procedure takes the memory that it gives as an argument.
    pub(super) fn takes_memory(&self, target: &Target) -> bool {
        target
            .scope
            .is_some_and(|scope| self.program.memory_given(scope).is_some())
    }

    /// The kind of memory that a call gives.
    pub(super) fn memory_of_call(&self, call: &Invocation) -> Option<Allocation> {
        let scope = call.target.scope?;
        if call.overriding.is_empty() {
            return self.program.memory_given(scope);
        }
        memory_of(self.program.result_of(scope)?)
    }

    /// A temporary with what a call gives.
    pub(super) fn memory_from(&mut self, e: Syn, call: &Invocation) -> Fallible<VarId> {
        let Some(allocation) = self.memory_of_call(call) else {
            return refuse("a function that gives no memory");
        };
        let ty = self.result_type(call)?;
        let rank = self.result_rank(&call.target);
        let var = self.memory(&call.name, ty, rank, allocation);
        self.emit_call(e, call, &[], Some(Access::whole(var)))?;
        if allocation == Allocation::Allocatable {
            self.to_free.push(var);
        }
        Ok(var)
    }

    fn memory(&mut self, name: &str, ty: Type, rank: usize, allocation: Allocation) -> VarId {
        let base = format!("{name}_");
        let one = self.int(1);
        let mut variable = Variable::scalar(&*base, ty);
        variable.span = self.span;
        variable.allocation = allocation;
        variable.shape = vec![
            Dim {
                lower: one,
                extent: Extent::Deferred,
            };
            rank
        ];
        let var = self.generate(&base, variable);
        self.memories.insert(var);
        var
    }

    /// `target => f(x)`; says whether the value is the pointer that a function gives.
    pub(super) fn pointed_by_function(
        &mut self,
        target: &Access,
        ty: Type,
        bounds: PointerBounds,
        source: Syn,
    ) -> Fallible<bool> {
        let Some(call) = self.invocation(source)? else {
            return Ok(false);
        };
        if self.memory_of_call(&call) != Some(Allocation::Pointer) {
            return refuse("a pointer to the value of a function that gives no pointer");
        }
        if self.result_type(&call)? != ty {
            return refuse("a pointer to another type");
        }
        let var = self.memory_from(source, &call)?;
        self.emit(Stmt::PointerAssign {
            target: target.clone(),
            value: Some(Access::whole(var)),
            is_pointer: true,
            offset: None,
            bounds,
        });
        Ok(true)
    }
}
