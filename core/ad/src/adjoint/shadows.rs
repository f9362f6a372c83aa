//! Shadow variables, and the arguments of an adjoint procedure.

use std::collections::BTreeMap;

use contraflow_ir::{
    Aliasing, Allocation, Intent, Module, Passing, Procedure, ProcedureId, ProcedureKind, Role,
    Storage, Type, VarId, Variable,
};

use super::Order;
use super::calls::CalleeAdjoint;
use crate::analysis::Effects;
use crate::shared_shadows::SharedShadows;
use crate::specialise::Specialisation;

/// The shadows of one derived procedure.
pub struct Shadows {
    /// Primal to shadow.
    pub of: BTreeMap<VarId, VarId>,
    /// Formal arguments (and the result) whose shadow is an argument.
    pub arguments: Vec<VarId>,
}

/// How the adjoint of a callee is called: a shadow follows each active formal.
pub fn callee_signature(
    module: &Module,
    effects: &Effects,
    specialisation: &Specialisation,
    derived: ProcedureId,
) -> CalleeAdjoint {
    let primal = &module.procedures[specialisation.procedure];
    let is_passed = |var: &VarId| specialisation.passed.contains(var);
    let is_array = |formal: &VarId| primal.variables[*formal].is_array();
    let is_exclusive = |position: usize, formal: &VarId| {
        primal.variables[*formal].aliasing == Aliasing::None
            && !effects.argument(specialisation.procedure, position).write
    };
    CalleeAdjoint {
        procedure: derived,
        primal: specialisation.procedure,
        shadowed: primal.arguments.iter().map(is_passed).collect(),
        result_shadowed: primal.result().is_some_and(|result| is_passed(&result)),
        scalars_by_value: primal.scalars_by_value,
        exclusive_scalars: primal
            .arguments
            .iter()
            .enumerate()
            .map(|(position, formal)| {
                let is_address = matches!(
                    primal.variables[*formal].ty,
                    Type::Pointer(_) | Type::Address
                );
                is_exclusive(position, formal) && !is_array(formal) && !is_address
            })
            .collect(),
        exclusive_arrays: primal
            .arguments
            .iter()
            .enumerate()
            .map(|(position, formal)| {
                (is_exclusive(position, formal) && is_array(formal))
                    .then(|| primal.variables[*formal].rank())
            })
            .collect(),
        result_type: primal.result().map(|result| primal.variables[result].ty),
        is_split: false,
    }
}

/// Adds the shadows to `out`, a clone of the primal, and sets its arguments.
pub fn create(order: &Order<'_>, out: &mut Procedure, memory: &SharedShadows) -> Shadows {
    let mut shadows = Shadows {
        of: BTreeMap::new(),
        arguments: Vec::new(),
    };
    for (next, &var) in (out.variables.len()..).zip(&order.specialisation.active) {
        shadows.of.insert(var, VarId::from_index(next));
    }
    for &var in &order.specialisation.active {
        let shadow = shadow_of(order, out, var, memory, &shadows.of);
        out.variables.add(shadow);
    }
    set_arguments(order, out, &mut shadows);
    shadows
}

fn shadow_of(
    order: &Order<'_>,
    out: &Procedure,
    var: VarId,
    memory: &SharedShadows,
    shadows: &BTreeMap<VarId, VarId>,
) -> Variable {
    let mut shadow = out.variables[var].clone();
    shadow.name = crate::naming::shadow_name(out, &shadow.name, &order.suffix);
    shadow.role = Role::Shadow { of: var };
    shadow.intent = Intent::Unspecified;
    shadow.read_only = false;
    shadow.initial = None;
    shadow.values.clear();
    // An address is handed on as one.
    shadow.passing = match shadow.ty {
        Type::Address if !shadow.is_array() => shadow.passing,
        _ => Passing::Reference,
    };
    shadow.storage = match shadow.storage {
        Storage::Global(global) => match memory.global(global) {
            Some((global, name)) => {
                shadow.name = name.to_owned();
                Storage::Global(global)
            }
            None => Storage::Local,
        },
        Storage::Common { block, offset } => match memory.common(block) {
            Some(block) => Storage::Common { block, offset },
            None => Storage::Local,
        },
        Storage::Overlay { base, offset } => match shadows.get(&base) {
            Some(&base) => Storage::Overlay { base, offset },
            None => Storage::Local,
        },
        Storage::Argument { .. } | Storage::Result if is_passed(order, var) => {
            Storage::Argument { index: 0 }
        }
        _ => Storage::Local,
    };
    shadow
}

/// Whether the shadow of an argument is itself an argument.
fn is_passed(order: &Order<'_>, var: VarId) -> bool {
    order.specialisation.passed.contains(&var)
}

fn set_arguments(order: &Order<'_>, out: &mut Procedure, shadows: &mut Shadows) {
    let mut arguments = Vec::new();
    for formal in out.arguments.clone() {
        arguments.push(formal);
        // What an allocatable holds when it comes in is released by a statement that is reversed.
        let variable = &mut out.variables[formal];
        if variable.allocation != Allocation::Fixed && variable.intent == Intent::Out {
            variable.intent = Intent::Unspecified;
        }
        let passed = shadows
            .of
            .get(&formal)
            .copied()
            .filter(|_| is_passed(order, formal));
        if let Some(shadow) = passed {
            arguments.push(shadow);
            shadows.arguments.push(formal);
        }
    }
    if let Some(result) = out.result() {
        out.kind = ProcedureKind::Subroutine;
        out.variables[result].passing = Passing::Reference;
        out.variables[result].intent = Intent::Out;
        arguments.push(result);
        let passed = shadows
            .of
            .get(&result)
            .copied()
            .filter(|_| is_passed(order, result));
        if let Some(shadow) = passed {
            if out.scalars_by_value {
                out.variables[shadow].passing = Passing::Value;
            }
            arguments.push(shadow);
            shadows.arguments.push(result);
        }
    }
    for (index, &argument) in arguments.iter().enumerate() {
        out.variables[argument].storage = Storage::Argument {
            index: index as u32,
        };
    }
    out.arguments = arguments;
}
