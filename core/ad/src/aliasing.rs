//! Proves of arguments that nothing else which their procedure sees shares memory with them, from the
//! procedures that pass them.
//!
//! A C pointer may lead into what another one leads into. The derivatives of callees are called by
//! derivatives only, so every call is known: an argument is apart from all others if in no call
//! * another argument of the call overlaps with what is passed for it, or
//! * what is passed overlaps with memory that outlives calls and that the callee touches, or
//! * the callee is shown pointers that may lead to it.
//!
//! The greatest solution: all arguments are taken to be apart until a call says otherwise. The head's own
//! are as its source declares them.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Aliasing, Allocation, Argument, Callee, Module, Procedure, ProcedureId, Selector, Stmt,
    Storage, Type, VarId,
};

use crate::analysis::{CallGraph, Effects, kinds};

/// The module in which arguments that are apart are declared so.
pub fn from_callers(module: &Module, head: ProcedureId) -> Module {
    let reachable = CallGraph::of(module, &Effects::of(module)).reachable(head);
    let calls = calls(module, &reachable);
    let mut apart: BTreeSet<Formal> = calls
        .iter()
        .map(|call| call.callee)
        .filter(|&callee| callee != head)
        .flat_map(|callee| open_arguments(module, callee))
        .collect();
    for callee in passed_on(module, &reachable) {
        apart.retain(|&(id, _)| id != callee);
    }
    while !apart.is_empty() {
        let assumed = declared(module, &apart);
        let effects = Effects::of(&assumed);
        let site = Site {
            module: &assumed,
            effects: &effects,
        };
        let met: Vec<Formal> = calls
            .iter()
            .flat_map(|call| {
                let formals = apart.iter().filter(|(id, _)| *id == call.callee);
                formals
                    .copied()
                    .filter(|&(_, position)| !site.is_apart(call, position))
            })
            .collect();
        if met.is_empty() {
            return assumed;
        }
        apart.retain(|formal| !met.contains(formal));
    }
    module.clone()
}

/// An argument of a procedure, by its position.
type Formal = (ProcedureId, usize);

struct Call<'a> {
    caller: ProcedureId,
    callee: ProcedureId,
    arguments: &'a [Argument],
}

fn calls<'a>(module: &'a Module, reachable: &BTreeSet<ProcedureId>) -> Vec<Call<'a>> {
    let mut calls = Vec::new();
    for &caller in reachable {
        let procedure = &module.procedures[caller];
        for stmt in procedure.all_statements() {
            if let Stmt::Call {
                callee: Callee::Procedure(callee),
                arguments,
                ..
            } = procedure.stmt(stmt)
            {
                calls.push(Call {
                    caller,
                    callee: *callee,
                    arguments,
                });
            }
        }
    }
    calls
}

/// Procedures that are passed to others: not all their calls are known.
fn passed_on(module: &Module, reachable: &BTreeSet<ProcedureId>) -> BTreeSet<ProcedureId> {
    let reachable = reachable.iter();
    reachable
        .flat_map(|&id| module.procedures[id].handed_on())
        .collect()
}

/// Arguments that may overlap with others, and hold no addresses themselves.
fn open_arguments(module: &Module, id: ProcedureId) -> Vec<Formal> {
    let procedure = &module.procedures[id];
    let is_open = |&(_, &var): &(usize, &VarId)| {
        let variable = &procedure.variables[var];
        variable.aliasing == Aliasing::May
            && variable.allocation == Allocation::Fixed
            && variable.is_array()
            && !matches!(
                variable.ty,
                Type::Pointer(_) | Type::Address | Type::Unknown
            )
    };
    let arguments = procedure.arguments.iter().enumerate();
    match procedure.has_body {
        true => arguments.filter(is_open).map(|(at, _)| (id, at)).collect(),
        false => Vec::new(),
    }
}

fn declared(module: &Module, apart: &BTreeSet<Formal>) -> Module {
    let mut module = module.clone();
    for &(id, position) in apart {
        let procedure = &mut module.procedures[id];
        let var = procedure.arguments[position];
        procedure.variables[var].aliasing = Aliasing::None;
    }
    module
}

struct Site<'a> {
    module: &'a Module,
    effects: &'a Effects,
}

impl Site<'_> {
    fn is_apart(&self, call: &Call<'_>, position: usize) -> bool {
        let place = match call.arguments.get(position) {
            Some(Argument::Absent) => return true,
            Some(Argument::Place(place)) if !place.path.contains(&Selector::Deref) => place,
            _ => return false,
        };
        let others = call.arguments.iter().enumerate();
        others
            .filter(|&(at, _)| at != position)
            .all(|(_, other)| self.argument_is_apart(call, place, other))
            && self.globals_are_apart(call, place)
    }

    fn argument_is_apart(&self, call: &Call<'_>, place: &Access, other: &Argument) -> bool {
        let caller = &self.module.procedures[call.caller];
        match other {
            Argument::Place(other) if other.var == place.var => fields_differ(place, other),
            Argument::Place(other) => {
                !self.effects.overlaps(call.caller, place.var, other.var)
                    && !self.leads_there(call.caller, other.var, place.var)
            }
            Argument::Value(value) => !self.leads_to(caller, caller.exprs[*value].ty, place.var),
            Argument::Opaque { .. } => false,
            Argument::Procedure(_) | Argument::Absent => true,
        }
    }

    /// Memory that outlives calls, and what it leads to.
    fn globals_are_apart(&self, call: &Call<'_>, place: &Access) -> bool {
        let caller = &self.module.procedures[call.caller];
        let variable = &caller.variables[place.var];
        let is_own = matches!(
            variable.storage,
            Storage::Local | Storage::Result | Storage::Global(_) | Storage::Saved
        ) && variable.allocation == Allocation::Fixed;
        self.effects.callee_globals(call.callee).all(|(shared, _)| {
            let mut names = self.effects.variables_of(call.caller, shared).peekable();
            if names.peek().is_none() {
                return is_own || variable.aliasing == Aliasing::None;
            }
            names.all(|name| {
                name != place.var
                    && !self.effects.overlaps(call.caller, name, place.var)
                    && !self.leads_there(call.caller, name, place.var)
            })
        })
    }

    /// Whether pointers in one variable may lead to another. Those in a table lead to tables.
    fn leads_there(&self, caller: ProcedureId, from: VarId, var: VarId) -> bool {
        let is_table = self.effects.is_table(self.module, caller, from);
        let caller = &self.module.procedures[caller];
        !is_table && self.leads_to(caller, caller.variables[from].ty, var)
    }

    /// Whether pointers in a value of a type may lead to a variable.
    fn leads_to(&self, caller: &Procedure, ty: Type, var: VarId) -> bool {
        let variable = &caller.variables[var];
        !(variable.is_argument() && variable.aliasing == Aliasing::None)
            && kinds::behind(self.module, ty)
                .iter()
                .any(|&target| kinds::contains(self.module, variable.ty, target))
    }
}

/// Whether two places lie in different components of one variable.
fn fields_differ(a: &Access, b: &Access) -> bool {
    matches!((a.path.first(), b.path.first()),
        (Some(Selector::Field(a)), Some(Selector::Field(b))) if a != b)
}
