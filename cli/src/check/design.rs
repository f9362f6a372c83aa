//! Designs the experiment for a head and its two derivatives.

use super::before::{self, Calls};
use super::experiment::{Actual, Call, Experiment, Formal, Item, Labels, Passed, Stale};
use super::globals;
use super::place::{Memory, mirrors};
use super::quantities::{Design, Role, element_of};
use super::values::Settings;
use crate::head::Head;
use contraflow_ad::{Derivative, sizes};
use contraflow_ir::{
    Allocation, ContainerKind, Diagnostic, Extent, Module, Passing, Procedure, ProcedureId,
    Role as VariableRole, Storage, VarId,
};
use std::collections::BTreeMap;

/// What the user says about the driver.
#[derive(Clone, Debug)]
pub struct Setting {
    /// `--set`
    pub values: Settings,
    /// `--extent`, for what the language leaves to the caller.
    pub extents: Settings,
    /// `--before`
    pub before: Calls,
    /// `--seeds`
    pub seeds: u32,
    /// `--step`
    pub step: Option<f64>,
}

/// Designs the experiment.
///
/// # Errors
/// Values or sizes that are missing or wrong, and heads that no driver can call.
pub fn design(
    module: &Module,
    head: &Head,
    tangent: &Derivative,
    adjoint: &Derivative,
    setting: &Setting,
) -> Result<Experiment, Vec<Diagnostic>> {
    let procedure = &module.procedures[head.procedure];
    let is_fortran = !procedure.scalars_by_value;
    let sized = sizes::from_uses(module, head.procedure);
    let mut design = Design::new(&sized, &sized.procedures[head.procedure], setting);
    let mut items = BTreeMap::new();
    let mut procedures = Procedures::default();
    for var in variables_of(procedure) {
        if procedure.variables[var].ty == contraflow_ir::Type::Procedure {
            match head.bindings.get(&var) {
                Some(&bound) => {
                    items.insert(var, procedures.item(module, bound));
                    let passed = &module.procedures[bound];
                    let is_same_file = procedure.home.container == passed.home.container;
                    if passed.is_private && !(procedure.is_private && is_same_file) {
                        design.errors.push(private_passed(passed));
                    }
                }
                None => design.errors.push(unbound(procedure, var)),
            }
            continue;
        }
        if gives_address(procedure, var) {
            items.insert(var, Item::Absent);
            continue;
        }
        let role = Role {
            independent: head.independents.contains(&var),
            dependent: head.dependents.contains(&var),
        };
        if let Some(item) = design.passed(var, role) {
            items.insert(var, item);
        }
    }
    globals::add(&mut design, module, head, tangent, adjoint);
    let before = before::design(module, setting);
    design.unknown_names();
    let mut errors = std::mem::take(&mut design.errors);
    let container = procedure.home.container.map(|id| &module.containers[id]);
    let module_name = container
        .filter(|container| container.kind == ContainerKind::Module)
        .map(|container| container.name.clone());
    if module_name.is_some() && procedure.is_private {
        errors.push(private_head(procedure));
    }
    if procedure.home.host.is_some() {
        errors.push(internal_head(procedure));
    }
    let before = before.map_err(|found| errors.extend(found)).ok();
    let mirrors = match is_fortran {
        true => Vec::new(),
        false => mirrors(module, &design.holders).unwrap_or_else(|name| {
            errors.push(unknown_layout(procedure, &name));
            Vec::new()
        }),
    };
    errors.extend(globals::shadows_without_memory(&design, &tangent.module));
    errors.extend(globals::shadows_without_memory(&design, &adjoint.module));
    errors.dedup();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut call = |derivative: &Derivative| {
        call_of(&derivative.module, derivative.head, &items, &mut procedures)
            .map_err(|error| vec![error.at(procedure.home.span, "")])
    };
    let result = procedure.result().and_then(|var| items.get(&var).copied());
    Ok(Experiment {
        head: procedure.name.clone(),
        copy: tangent
            .primal
            .map(|copy| tangent.module.procedures[copy].name.clone()),
        home: procedure.home.clone(),
        module: module_name,
        is_private: procedure.is_private,
        tangent: call(tangent)?,
        adjoint: call(adjoint)?,
        primal: call_of(module, head.procedure, &items, &mut procedures)
            .map_err(|error| vec![error])?,
        result,
        procedures: procedures.all,
        stale: stale(&design, tangent, adjoint),
        is_single: is_single(tangent) || is_single(adjoint),
        variables: design.variables,
        holders: design.holders,
        mirrors,
        before: before.unwrap_or_default(),
        seeds: setting.seeds,
        step: setting.step,
        kept: None,
    })
}

/// Procedures that are passed, each once.
#[derive(Default)]
struct Procedures {
    all: Vec<Passed>,
}

impl Procedures {
    fn item(&mut self, module: &Module, id: ProcedureId) -> Item {
        let procedure = &module.procedures[id];
        let container = procedure.home.container.map(|id| &module.containers[id]);
        let value = procedure.result().map(|value| &procedure.variables[value]);
        let passed = Passed {
            name: procedure.name.clone(),
            module: container
                .filter(|container| container.kind == ContainerKind::Module)
                .map(|container| container.name.clone()),
            value: value.and_then(|value| element_of(value.ty, 0)),
        };
        let known = self.all.iter().position(|known| *known == passed);
        Item::Procedure(known.unwrap_or_else(|| {
            self.all.push(passed);
            self.all.len() - 1
        }))
    }
}

fn unbound(procedure: &Procedure, var: VarId) -> Diagnostic {
    let variable = &procedure.variables[var];
    let name = &variable.name;
    Diagnostic::error(
        "check-type",
        format!("`check` must know which procedure to pass for `{name}`"),
    )
    .at(variable.span, "a procedure argument")
    .with_help(format!("say it: `--bind {name}=PROCEDURE`"))
}

/// Whether a variable is the address that a C function returns: its derivatives give none.
fn gives_address(procedure: &Procedure, var: VarId) -> bool {
    let variable = &procedure.variables[var];
    let is_address = variable.allocation == Allocation::Pointer
        || matches!(variable.ty, contraflow_ir::Type::Pointer(_));
    procedure.scalars_by_value && variable.storage == Storage::Result && is_address
}

fn variables_of(procedure: &Procedure) -> Vec<VarId> {
    procedure
        .arguments
        .iter()
        .copied()
        .chain(procedure.result())
        .collect()
}

fn private_head(procedure: &Procedure) -> Diagnostic {
    Diagnostic::error(
        "check-private",
        format!("`{}` is private, so no driver can call it", procedure.name),
    )
    .at(start_of(procedure), "")
    .with_help("check a public procedure that calls it, or make it public")
}

fn private_passed(procedure: &Procedure) -> Diagnostic {
    Diagnostic::error(
        "check-private",
        format!("`{}` is private, so no driver can pass it", procedure.name),
    )
    .at(start_of(procedure), "")
    .with_help("check a public procedure that passes it, or make it public")
}

fn internal_head(procedure: &Procedure) -> Diagnostic {
    Diagnostic::error(
        "check-private",
        format!(
            "`{}` is an internal procedure, so no driver can call it",
            procedure.name
        ),
    )
    .at(start_of(procedure), "")
    .with_help("check the procedure that contains it")
}

fn unknown_layout(procedure: &Procedure, name: &str) -> Diagnostic {
    Diagnostic::error(
        "check-type",
        format!("`check` does not know how `{name}` lies in memory"),
    )
    .at(start_of(procedure), "needed to call this")
    .with_help("check a procedure whose arguments are numbers, or structs of numbers")
}

fn start_of(procedure: &Procedure) -> contraflow_ir::Span {
    let span = procedure.home.span;
    contraflow_ir::Span {
        end: span.end.min(span.start + 1),
        ..span
    }
}

/// A call with the items of the primal's variables, read off the formal arguments.
fn call_of(
    module: &Module,
    id: ProcedureId,
    items: &BTreeMap<VarId, Item>,
    procedures: &mut Procedures,
) -> Result<Call, Diagnostic> {
    let procedure = &module.procedures[id];
    let mut actuals = Vec::new();
    let which = procedure.labels.as_ref().map(|labels| labels.which);
    for &formal in &procedure.arguments {
        if Some(formal) == which {
            continue;
        }
        let variable = &procedure.variables[formal];
        let (of, shadow) = match variable.role {
            VariableRole::Shadow { of } => (of, true),
            _ => (formal, false),
        };
        let derivative = variable.interface.filter(|_| !items.contains_key(&of));
        let derivative = derivative.map(|passed| procedures.item(module, passed));
        let Some(item) = items.get(&of).copied().or(derivative) else {
            return Err(Diagnostic::error(
                "check-argument",
                format!(
                    "`{}` has an argument `{}` that its primal has not",
                    procedure.name, variable.name
                ),
            ));
        };
        actuals.push(Actual {
            item,
            shadow,
            by_value: variable.passing == Passing::Value,
            formal: formal_of(variable),
        });
    }
    Ok(Call {
        name: procedure.name.clone(),
        actuals,
        labels: labels_of(procedure, items),
    })
}

/// The labels that a procedure takes in its text.
fn labels_of(procedure: &Procedure, items: &BTreeMap<VarId, Item>) -> Option<Labels> {
    let labels = procedure.labels.as_ref()?;
    match items.get(&labels.which) {
        Some(&Item::Variable(which)) => Some(Labels {
            which,
            places: labels.places.clone(),
        }),
        _ => None,
    }
}

/// What an interface says of an argument.
pub fn formal_of(variable: &contraflow_ir::Variable) -> Formal {
    Formal {
        name: variable.name.clone(),
        rank: variable.rank(),
        is_assumed: variable
            .shape
            .iter()
            .any(|dim| dim.extent == Extent::Assumed),
        memory: memory_of(variable.allocation),
        is_optional: variable.optional,
    }
}

/// Who makes the memory.
pub fn memory_of(allocation: Allocation) -> Memory {
    match allocation {
        Allocation::Fixed => Memory::Fixed,
        Allocation::Allocatable => Memory::Allocatable,
        Allocation::Pointer => Memory::Pointer,
    }
}

/// Whether derivatives pass through shadows of single precision.
fn is_single(derivative: &Derivative) -> bool {
    use contraflow_ir::Type;
    derivative.derived.iter().any(|&id| {
        let procedure = &derivative.module.procedures[id];
        procedure.variables.iter().any(|(_, variable)| {
            let is_shadow = matches!(variable.role, VariableRole::Shadow { .. });
            let is_single = matches!(
                variable.ty,
                Type::Real { bytes: 4 } | Type::Complex { bytes: 4 }
            );
            is_shadow && is_single
        })
    })
}

/// Shadows of memory that outlives calls and that no variable of the experiment stands for.
fn stale(design: &Design<'_>, tangent: &Derivative, adjoint: &Derivative) -> Vec<Stale> {
    let mut stale = Vec::new();
    for derivative in [tangent, adjoint] {
        stale.extend(globals::hidden_shadows(design, &derivative.module));
        stale.extend(globals::shadow_blocks(derivative));
    }
    stale.sort();
    stale.dedup();
    stale
}
