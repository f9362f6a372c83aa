//! Shadow variables, and the arguments of an adjoint procedure.

use std::collections::BTreeMap;

use contraflow_ir::{
    Global, GlobalId, Intent, Module, Passing, Procedure, ProcedureId, ProcedureKind, Role,
    Storage, VarId, Variable,
};

use super::Order;
use super::calls::CalleeAdjoint;
use crate::specialise::Specialisation;

/// Shadows of globals, made when they are first wanted and shared by all derived procedures.
#[derive(Clone, Default, Debug)]
pub struct GlobalShadows {
    /// The shadow's future id: globals of the module, then `made` in order.
    of: BTreeMap<GlobalId, GlobalId>,
    /// The shadows, to be added to the module in this order.
    pub made: Vec<Global>,
}

impl GlobalShadows {
    /// Makes the shadows of the active globals of a specialisation.
    pub fn prepare(&mut self, module: &Module, specialisation: &Specialisation, suffix: &str) {
        let variables = &module.procedures[specialisation.procedure].variables;
        for &var in &specialisation.active {
            if let Storage::Global(global) = variables[var].storage {
                self.make(module, global, suffix);
            }
        }
    }

    fn make(&mut self, module: &Module, global: GlobalId, suffix: &str) {
        if self.of.contains_key(&global) {
            return;
        }
        let mut copy = module.globals[global].clone();
        copy.name = crate::naming::global_shadow_name(module, &copy.name, suffix);
        copy.shadow_of = Some(global);
        let shadow = GlobalId::from_index(module.globals.len() + self.made.len());
        self.made.push(copy);
        self.of.insert(global, shadow);
    }
}

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
    specialisation: &Specialisation,
    derived: ProcedureId,
) -> CalleeAdjoint {
    let primal = &module.procedures[specialisation.procedure];
    let is_passed = |var: &VarId| specialisation.passed.contains(var);
    CalleeAdjoint {
        procedure: derived,
        shadowed: primal.arguments.iter().map(is_passed).collect(),
        result_shadowed: primal.result().is_some_and(|result| is_passed(&result)),
        scalars_by_value: primal.scalars_by_value,
        is_split: false,
    }
}

/// Adds the shadows to `out`, a clone of the primal, and sets its arguments.
pub fn create(order: &Order<'_>, out: &mut Procedure, globals: &GlobalShadows) -> Shadows {
    let mut shadows = Shadows {
        of: BTreeMap::new(),
        arguments: Vec::new(),
    };
    for &var in &order.specialisation.active {
        let shadow = shadow_of(order, out, var, globals);
        let shadow = out.variables.add(shadow);
        shadows.of.insert(var, shadow);
    }
    set_arguments(order, out, &mut shadows);
    shadows
}

fn shadow_of(order: &Order<'_>, out: &Procedure, var: VarId, globals: &GlobalShadows) -> Variable {
    let mut shadow = out.variables[var].clone();
    shadow.name = crate::naming::shadow_name(out, &shadow.name, &order.suffix);
    shadow.role = Role::Shadow { of: var };
    shadow.intent = Intent::Unspecified;
    shadow.read_only = false;
    shadow.initial = None;
    shadow.passing = Passing::Reference;
    shadow.storage = match shadow.storage {
        Storage::Global(global) => {
            let id = globals.of[&global];
            shadow.name = globals
                .made
                .get(id.index().wrapping_sub(order.module.globals.len()))
                .map_or(shadow.name, |made| made.name.clone());
            Storage::Global(id)
        }
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
