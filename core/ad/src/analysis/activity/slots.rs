//! The places whose activity one procedure's analysis follows: its variables, and the memory that
//! its callees touch and for which it has no name.

use contraflow_ir::{Module, ProcedureId, RecordId, Type, VarId, Variable};
use fixedbitset::FixedBitSet;

use crate::analysis::effects::{Effects, Shared};

/// Where values enter and leave a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Port {
    /// The formal argument of this position.
    Argument(usize),
    /// Memory that outlives the call.
    Shared(Shared),
    /// The function's value.
    Result,
}

/// The places of one procedure. A slot below the number of variables is that variable.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The number of variables.
    pub variables: usize,
    /// The memory behind the slots from `variables` on.
    pub extras: Vec<Shared>,
    /// Slots that can hold differentiable values and are no constants.
    pub carries: FixedBitSet,
    /// For each slot the others that share memory with it and carry values.
    pub overlapping: Vec<Vec<usize>>,
    /// The ports with their slots.
    pub ports: Vec<(Port, usize)>,
}

impl Slots {
    pub fn of(module: &Module, effects: &Effects, id: ProcedureId) -> Slots {
        let procedure = &module.procedures[id];
        let variables = procedure.variables.len();
        let named: Vec<Option<Shared>> = procedure
            .variables
            .ids()
            .map(|var| effects.shared(id, var))
            .collect();
        let extras: Vec<Shared> = effects
            .callee_globals(id)
            .map(|(shared, _)| shared)
            .filter(|&shared| !named.contains(&Some(shared)))
            .collect();
        let mut slots = Slots {
            variables,
            carries: FixedBitSet::with_capacity(variables + extras.len()),
            overlapping: vec![Vec::new(); variables + extras.len()],
            extras,
            ports: Vec::new(),
        };
        for (var, variable) in procedure.variables.iter() {
            let carries = !variable.is_constant() && variable_carries(module, variable);
            slots.carries.set(var.index(), carries);
        }
        for (index, &shared) in slots.extras.iter().enumerate() {
            slots
                .carries
                .set(variables + index, shared_carries(module, shared));
        }
        slots.find_overlaps(effects, id, &named);
        slots.find_ports(module, effects, id, &named);
        slots
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.overlapping.len()
    }

    /// The slots that name memory overlapping with `shared`.
    pub fn of_shared(&self, effects: &Effects, id: ProcedureId, shared: Shared) -> Vec<usize> {
        let variables = effects.variables_of(id, shared).map(|var| var.index());
        let extras = (self.variables..)
            .zip(&self.extras)
            .filter(|(_, extra)| extra.overlaps(shared))
            .map(|(slot, _)| slot);
        let mut slots: Vec<usize> = variables.chain(extras).collect();
        slots.retain(|&slot| self.carries[slot]);
        slots
    }

    fn find_overlaps(&mut self, effects: &Effects, id: ProcedureId, named: &[Option<Shared>]) {
        for slot in 0..self.variables {
            self.overlapping[slot] = effects
                .overlapping(id, VarId::from_index(slot))
                .iter()
                .map(|var| var.index())
                .collect();
        }
        for (index, &extra) in self.extras.iter().enumerate() {
            let slot = self.variables + index;
            let names = named
                .iter()
                .copied()
                .chain(self.extras.iter().copied().map(Some));
            for (other, name) in names.enumerate() {
                if other != slot && name.is_some_and(|name| name.overlaps(extra)) {
                    self.overlapping[slot].push(other);
                    if other < self.variables {
                        self.overlapping[other].push(slot);
                    }
                }
            }
        }
        for others in &mut self.overlapping {
            others.retain(|&other| self.carries[other]);
        }
    }

    fn find_ports(
        &mut self,
        module: &Module,
        effects: &Effects,
        id: ProcedureId,
        named: &[Option<Shared>],
    ) {
        let procedure = &module.procedures[id];
        for (position, var) in procedure.arguments.iter().enumerate() {
            self.ports.push((Port::Argument(position), var.index()));
        }
        for (shared, _) in effects.callee_globals(id) {
            let own = named.iter().position(|&name| name == Some(shared));
            let extra = self.extras.iter().position(|&extra| extra == shared);
            if let Some(slot) = own.or(extra.map(|index| self.variables + index)) {
                self.ports.push((Port::Shared(shared), slot));
            }
        }
        if let Some(result) = procedure.result() {
            self.ports.push((Port::Result, result.index()));
        }
    }
}

fn shared_carries(module: &Module, shared: Shared) -> bool {
    match shared {
        Shared::Global(global) => type_carries(module, module.globals[global].ty),
        // The bytes may be of any type.
        Shared::Common { .. } => true,
        Shared::Saved(procedure, var) => {
            type_carries(module, module.procedures[procedure].variables[var].ty)
        }
    }
}

/// Whether what a variable holds, or leads to, may be differentiable numbers: those of a polymorphic
/// one may be in a type that extends its own.
pub(super) fn variable_carries(module: &Module, variable: &Variable) -> bool {
    let extension_carries = |ancestor: RecordId| {
        module.records.ids().any(|record| {
            module.descends_from(record, ancestor) && type_carries(module, Type::Record(record))
        })
    };
    type_carries(module, variable.ty)
        || variable.polymorphic
            && matches!(variable.ty, Type::Record(record) if extension_carries(record))
}

/// Whether a value of the type holds, or leads to, differentiable numbers.
pub(crate) fn type_carries(module: &Module, ty: Type) -> bool {
    let mut seen = Vec::new();
    carries_below(module, ty, &mut seen)
}

fn carries_below(module: &Module, ty: Type, seen: &mut Vec<Type>) -> bool {
    if seen.contains(&ty) {
        return false;
    }
    seen.push(ty);
    match ty {
        Type::Real { .. } | Type::Complex { .. } => true,
        Type::Record(record) => module.records[record]
            .fields
            .iter()
            .any(|field| carries_below(module, field.ty, seen)),
        Type::Pointer(pointer) => carries_below(module, module.pointers[pointer].target, seen),
        // It may lead to anything.
        Type::Address => true,
        Type::Integer { .. }
        | Type::Logical { .. }
        | Type::Character
        | Type::Procedure
        | Type::Void
        | Type::Unknown => false,
    }
}
