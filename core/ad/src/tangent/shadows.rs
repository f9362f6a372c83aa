//! The shadows of one tangent procedure, and its arguments.

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, Aliasing, BoundKind, Builder, Diagnostic, Expr, Extent, Intent, Module, Passing,
    Procedure, Role, Storage, Type, VarId, Variable,
};

use super::{Order, return_by_argument};
use crate::analysis::{Specialisation, SpecialisationId};
use crate::naming;

/// Whether the shadow of the formal at `position` is an argument. At the head those of the
/// variables that the request names are, and those whose size nobody knows; others are local.
pub(super) fn is_passed(order: &Order<'_>, id: SpecialisationId, position: usize) -> bool {
    let specialisation = &order.activity[id];
    if !specialisation.has_shadow_argument(order.module, position) {
        return false;
    }
    let procedure = &order.module.procedures[specialisation.procedure];
    let formal = procedure.arguments[position];
    id != order.activity.head()
        || order.request.independents.contains(&formal)
        || order.request.dependents.contains(&formal)
        || !has_known_size(&procedure.variables[formal])
}

/// Whether a local array of the same shape can be declared.
pub(super) fn has_known_size(variable: &Variable) -> bool {
    let of_any_shape = |extent: &Extent| matches!(extent, Extent::Count(_) | Extent::Assumed);
    !matches!(variable.ty, Type::Pointer(_) | Type::Address)
        && variable.shape.iter().all(|dim| of_any_shape(&dim.extent))
}

/// Adds the shadows to `out`, a clone of the primal, and sets its arguments.
pub(super) fn create(
    order: &Order<'_>,
    id: SpecialisationId,
    out: &mut Procedure,
) -> Result<BTreeMap<VarId, VarId>, Vec<Diagnostic>> {
    let specialisation = &order.activity[id];
    let mut shadows = BTreeMap::new();
    for (next, var) in (out.variables.len()..).zip(specialisation.active_variables()) {
        shadows.insert(var, VarId::from_index(next));
    }
    let mut problems = Vec::new();
    for (&var, &expected) in &shadows {
        if let Some(problem) = refusal(order.module, specialisation, &shadows, var) {
            problems.push(problem);
        }
        let shadow = shadow_of(order, id, out, &shadows, var);
        let added = out.variables.add(shadow);
        debug_assert_eq!(
            added, expected,
            "shadows are added in the order of their ids"
        );
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    set_arguments(order, id, out, &shadows);
    Ok(shadows)
}

/// Variables whose shadow cannot have the same life as they have.
fn refusal(
    module: &Module,
    specialisation: &Specialisation,
    shadows: &BTreeMap<VarId, VarId>,
    var: VarId,
) -> Option<Diagnostic> {
    let procedure = &module.procedures[specialisation.procedure];
    let variable = &procedure.variables[var];
    let name = &variable.name;
    let refuse = |message: String| {
        Diagnostic::error("no-tangent", message).at(variable.span, "declared here")
    };
    match variable.storage {
        Storage::Saved if specialisation.is_useful_in(var) => Some(
            refuse(format!(
                "the active variable `{name}` keeps its value between calls of `{}`",
                procedure.name
            ))
            .with_help("make it an argument or a module variable"),
        ),
        Storage::Overlay { base, .. } if !shadows.contains_key(&base) => Some(
            refuse(format!(
                "the active variable `{name}` shares memory with `{}`, which has no derivative",
                procedure.variables[base].name
            ))
            .with_help("give the two variables memory of their own"),
        ),
        Storage::Overlay { .. } if procedure.result() == Some(var) => Some(
            refuse(format!(
                "the function's value `{name}` shares memory with another variable"
            ))
            .with_help("write the entry as a function of its own"),
        ),
        _ => None,
    }
}

fn shadow_of(
    order: &Order<'_>,
    id: SpecialisationId,
    out: &mut Procedure,
    shadows: &BTreeMap<VarId, VarId>,
    var: VarId,
) -> Variable {
    let mut shadow = out.variables[var].clone();
    shadow.name = naming::shadow_name(out, &shadow.name, &order.request.suffix);
    shadow.role = Role::Shadow { of: var };
    shadow.initial = None;
    shadow.values.clear();
    match shadow.storage {
        Storage::Argument { index } => {
            if !is_passed(order, id, index as usize) {
                make_local(out, &mut shadow, var);
            }
        }
        Storage::Global(global) => {
            if let Some((global, name)) = order.memory.global(global) {
                shadow.storage = Storage::Global(global);
                shadow.name = name.to_owned();
            }
        }
        Storage::Common { block, offset } => {
            if let Some(block) = order.memory.common(block) {
                shadow.storage = Storage::Common { block, offset };
            }
        }
        Storage::Overlay { base, offset } => {
            if let Some(&base) = shadows.get(&base) {
                shadow.storage = Storage::Overlay { base, offset };
            }
        }
        Storage::Local | Storage::Result | Storage::Saved | Storage::Constant { .. } => {}
    }
    shadow
}

/// A local variable of the shape of an argument.
fn make_local(out: &mut Procedure, shadow: &mut Variable, of: VarId) {
    shadow.storage = Storage::Local;
    shadow.passing = Passing::Reference;
    shadow.intent = Intent::Unspecified;
    shadow.aliasing = Aliasing::None;
    shadow.optional = false;
    shadow.read_only = false;
    let mut b = Builder::new(out);
    for (dim, place) in shadow.shape.iter_mut().enumerate() {
        if place.extent == Extent::Assumed {
            let extent = Expr::Bound {
                array: Access::whole(of),
                kind: BoundKind::Extent,
                dim: dim as u32,
            };
            place.extent = Extent::Count(b.expr(extent, Type::INT));
        }
    }
}

fn set_arguments(
    order: &Order<'_>,
    id: SpecialisationId,
    out: &mut Procedure,
    shadows: &BTreeMap<VarId, VarId>,
) {
    let mut arguments = Vec::new();
    for (position, &formal) in out.arguments.iter().enumerate() {
        arguments.push(formal);
        if is_passed(order, id, position) {
            arguments.extend(shadows.get(&formal));
        }
    }
    if let Some(result) = return_by_argument(out) {
        let shadow = shadows.get(&result).copied();
        for value in std::iter::once(result).chain(shadow) {
            out.variables[value].passing = Passing::Reference;
            out.variables[value].intent = Intent::Out;
            arguments.push(value);
        }
    }
    for (index, &argument) in arguments.iter().enumerate() {
        out.variables[argument].storage = Storage::Argument {
            index: index as u32,
        };
    }
    out.arguments = arguments;
}
