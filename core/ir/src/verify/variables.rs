//! Variables and arguments.

use std::collections::HashMap;

use super::Checker;
use crate::expr::ExprId;
use crate::module::ProcedureKind;
use crate::types::{Extent, Role, Storage, Type, VarId, Variable};

impl Checker<'_> {
    pub(super) fn variables(&mut self) {
        let procedure = self.procedure;
        let mut names: HashMap<&str, VarId> = HashMap::new();
        for (id, variable) in procedure.variables.iter() {
            if names.insert(&variable.name, id).is_some() {
                let message = format!("two variables are called `{}`", variable.name);
                self.report(16, variable.span, message);
            }
            self.ids_of_variable(variable);
            self.storage(id, variable);
        }
        for (index, &argument) in procedure.arguments.iter().enumerate() {
            let agrees = procedure.variables.get(argument).is_some_and(
                |v| matches!(v.storage, Storage::Argument { index: i } if i as usize == index),
            );
            self.require(agrees, 15, procedure.home.span, |_| {
                format!("argument {index} is not stored as that argument")
            });
        }
        if let ProcedureKind::Function { result } = procedure.kind {
            let agrees = procedure
                .variables
                .get(result)
                .is_some_and(|v| matches!(v.storage, Storage::Result | Storage::Overlay { .. }));
            self.require(agrees, 15, procedure.home.span, |_| {
                "the function's value is not stored as result".to_owned()
            });
        }
    }

    fn ids_of_variable(&mut self, variable: &Variable) {
        let module = self.module;
        let exists = match variable.ty {
            Type::Record(record) => module.records.get(record).is_some(),
            Type::Pointer(pointer) => module.pointers.get(pointer).is_some(),
            _ => true,
        } && match variable.storage {
            Storage::Global(global) => module.globals.get(global).is_some(),
            Storage::Common { block, .. } => module.commons.get(block).is_some(),
            Storage::Overlay { base, .. } => self.procedure.variables.get(base).is_some(),
            Storage::Constant {
                global: Some(global),
                ..
            } => module.globals.get(global).is_some(),
            _ => true,
        } && match variable.role {
            Role::Shadow { of } => self.procedure.variables.get(of).is_some(),
            Role::Primal | Role::Tape | Role::Disk | Role::Temporary => true,
        } && variable
            .interface
            .is_none_or(|interface| module.procedures.get(interface).is_some());
        self.require(exists, 1, variable.span, |_| {
            format!("`{}` names something that does not exist", variable.name)
        });
    }

    fn storage(&mut self, id: VarId, variable: &Variable) {
        let procedure = self.procedure;
        let agrees = match variable.storage {
            Storage::Argument { index } => procedure.arguments.get(index as usize) == Some(&id),
            Storage::Result => procedure.result() == Some(id),
            Storage::Overlay { base, .. } => base != id,
            _ => true,
        };
        self.require(agrees, 15, variable.span, |_| {
            format!("`{}` is not what its storage says", variable.name)
        });
    }
}

/// The expressions that belong to a variable.
pub(super) fn expressions_of(variable: &Variable) -> impl Iterator<Item = ExprId> + '_ {
    let bounds = variable.shape.iter().flat_map(|dim| {
        let count = match dim.extent {
            Extent::Count(count) => Some(count),
            Extent::Assumed | Extent::AssumedSize | Extent::Deferred | Extent::Unknown => None,
        };
        std::iter::once(dim.lower).chain(count)
    });
    let value = match variable.storage {
        Storage::Constant { value, .. } => value,
        _ => None,
    };
    bounds
        .chain(variable.length)
        .chain(variable.initial)
        .chain(variable.values.iter().map(|&(_, value)| value))
        .chain(value)
}
