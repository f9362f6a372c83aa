//! Gives procedures names for the shared memory that their callees touch.
//!
//! A caller that never mentions a module variable or a file's static may still call one procedure
//! that sets it and another that reads it. Its backward sweep must save and restore the variable
//! between such calls like any other, so it needs a name for it. A variable of the procedure's own
//! module or translation unit is visible there and gets one; what stays hidden is refused where it
//! would have to be restored (`adjoint::refuse`).

use contraflow_ir::{
    Allocation, Builder, Dim, Extent, GlobalId, Module, Procedure, ProcedureId, Storage, Variable,
};

use crate::analysis::{Effects, Shared};

/// The module in which procedures name the shared memory of their own scope that they reach. All
/// ids stay valid: variables are only added.
pub fn expose(module: &Module, effects: &Effects) -> Module {
    let mut exposed = module.clone();
    for id in module.procedures.ids() {
        for (shared, _) in effects.callee_globals(id) {
            if let Shared::Global(global) = shared
                && is_visible(module, effects, id, global)
                && let Some(model) = model_of(module, global)
            {
                let variable = name_of(module, &mut exposed.procedures[id], global, model);
                exposed.procedures[id].variables.add(variable);
            }
        }
    }
    exposed
}

fn is_visible(module: &Module, effects: &Effects, id: ProcedureId, global: GlobalId) -> bool {
    let procedure = &module.procedures[id];
    let declared = &module.globals[global];
    procedure.has_body
        && declared.container.is_some()
        && procedure.home.container == declared.container
        && procedure.variable_named(&declared.name).is_none()
        && effects
            .variables_of(id, Shared::Global(global))
            .next()
            .is_none()
        && (declared.allocation == Allocation::Allocatable
            || declared.allocation == Allocation::Fixed
                && declared.shape.iter().all(|(_, extent)| extent.is_some()))
}

/// The variable by which some procedure names the global: it has the facts that a front end knows.
fn model_of(module: &Module, global: GlobalId) -> Option<&Variable> {
    module
        .procedures
        .iter()
        .flat_map(|(_, procedure)| procedure.variables.iter())
        .map(|(_, variable)| variable)
        .find(|variable| variable.storage == Storage::Global(global))
}

fn name_of(
    module: &Module,
    procedure: &mut Procedure,
    global: GlobalId,
    model: &Variable,
) -> Variable {
    let mut b = Builder::new(procedure);
    let shape = module.globals[global]
        .shape
        .iter()
        .map(|&(lower, extent)| Dim {
            lower: b.int(lower.into()),
            extent: extent.map_or(Extent::Deferred, |count| Extent::Count(b.int(count.into()))),
        })
        .collect();
    Variable {
        shape,
        length: None,
        initial: None,
        ..model.clone()
    }
}
