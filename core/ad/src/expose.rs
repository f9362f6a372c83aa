//! Gives procedures names for the shared memory that their callees touch.
//!
//! A caller that never mentions a module variable or a COMMON block may still call one procedure that
//! sets it and another that reads it. Its backward sweep must save and restore the memory between
//! such calls like any other, so it needs a name for it. It gets one: a variable of its own module or
//! translation unit is visible, one of another module is used from there, and a COMMON block is
//! declared as some procedure lays it out that knows all of it. A private variable of another module
//! gets a second, public name there, which back ends declare (`EQUIVALENCE`). What stays hidden (private
//! memory that is allocated, statics of other files) is refused where it would have to be restored
//! (`adjoint::refuse`).

use std::collections::BTreeMap;

use contraflow_ir::{
    Aliasing, Allocation, Builder, CommonId, ContainerKind, Dim, Extent, GlobalId, GlobalKind,
    Module, Procedure, ProcedureId, Storage, Type, Variable,
};

use crate::analysis::{Effects, Shared};
use crate::naming;
use crate::state::constant::integer;

/// The module in which procedures name the shared memory that they reach. All ids stay valid:
/// variables are only added.
pub fn expose(module: &Module, effects: &Effects) -> Module {
    let mut exposed = module.clone();
    let mut layouts = BTreeMap::new();
    for id in module
        .procedures
        .ids()
        .filter(|&id| module.procedures[id].has_body)
    {
        for (shared, _) in effects.callee_globals(id) {
            match shared {
                Shared::Global(global) => expose_global(module, &mut exposed, effects, id, global),
                Shared::Common { block, .. } if !effects.is_named(id, shared) => {
                    let layout = layouts
                        .entry(block)
                        .or_insert_with(|| layout(module, effects, block));
                    let procedure = &mut exposed.procedures[id];
                    let is_new = !procedure
                        .variables
                        .iter()
                        .any(|(_, v)| v.imported && is_member(v, block));
                    for member in layout.iter().filter(|_| is_new) {
                        member.add_to(procedure);
                    }
                }
                Shared::Common { .. } | Shared::Saved(..) => {}
            }
        }
    }
    exposed
}

fn is_member(variable: &Variable, block: CommonId) -> bool {
    matches!(variable.storage, Storage::Common { block: of, .. } if of == block)
}

pub(crate) fn expose_global(
    module: &Module,
    exposed: &mut Module,
    effects: &Effects,
    id: ProcedureId,
    global: GlobalId,
) {
    let declared = &module.globals[global];
    let has_shape = declared.allocation == Allocation::Allocatable
        || declared.allocation == Allocation::Fixed
            && declared.shape.iter().all(|(_, extent)| extent.is_some());
    if !has_shape || effects.is_named(id, Shared::Global(global)) {
        return;
    }
    let procedure = &module.procedures[id];
    let is_free = procedure.variable_named(&declared.name).is_none();
    let is_imported = match reach(module, procedure, global) {
        Reach::Own if is_free => false,
        Reach::Use => true,
        Reach::Own | Reach::None => return,
    };
    let Some(member) = model_of(module, global) else {
        return;
    };
    let added = member.add_to(&mut exposed.procedures[id]);
    let variable = &mut exposed.procedures[id].variables[added];
    variable.imported = is_imported;
    if !is_imported {
        variable.name.clone_from(&declared.name);
    }
}

/// How a procedure can name a global.
enum Reach {
    /// It stands in the same scope.
    Own,
    /// By using its module.
    Use,
    None,
}

fn reach(module: &Module, procedure: &Procedure, id: GlobalId) -> Reach {
    let global = &module.globals[id];
    let Some(container) = global.container else {
        return Reach::None;
    };
    if procedure.home.container == Some(container) {
        return Reach::Own;
    }
    let is_used = match module.containers[container].kind {
        ContainerKind::Generated => true,
        ContainerKind::Module if global.is_private => can_have_two_names(module, id),
        ContainerKind::Module => global.kind == GlobalKind::Module,
        ContainerKind::Submodule | ContainerKind::Program | ContainerKind::TranslationUnit => false,
    };
    // What a name means is nothing without its type.
    let has_type = match global.ty {
        Type::Record(record) => {
            let record = &module.records[record];
            let of_module = record
                .container
                .filter(|&container| module.containers[container].kind == ContainerKind::Module);
            of_module.is_some() && !record.is_private
        }
        _ => true,
    };
    match is_used && has_type {
        true => Reach::Use,
        false => Reach::None,
    }
}

/// Whether a private variable of a module is plain memory, to which the module can give a second name.
fn can_have_two_names(module: &Module, id: GlobalId) -> bool {
    let global = &module.globals[id];
    let is_number = matches!(
        global.ty,
        Type::Integer { .. } | Type::Real { .. } | Type::Logical { .. } | Type::Complex { .. }
    );
    let mut variables = module
        .procedures
        .iter()
        .flat_map(|(_, procedure)| procedure.variables.iter());
    let is_target = variables.any(|(_, variable)| {
        variable.storage == Storage::Global(id) && variable.aliasing == Aliasing::May
    });
    global.kind == GlobalKind::Module
        && global.allocation == Allocation::Fixed
        && is_number
        && !is_target
}

/// A variable that can be declared in any procedure.
pub(crate) struct Member {
    variable: Variable,
    /// Smallest subscript and number of elements per dimension; no number for what is allocated.
    shape: Vec<(i64, Option<i64>)>,
    length: Option<i64>,
}

impl Member {
    pub(crate) fn of(procedure: &Procedure, variable: &Variable) -> Option<Member> {
        let shape: Option<Vec<(i64, Option<i64>)>> = variable
            .shape
            .iter()
            .map(|dim| match dim.extent {
                Extent::Count(count) => Some((
                    integer(procedure, dim.lower)?,
                    Some(integer(procedure, count)?),
                )),
                Extent::Deferred => Some((1, None)),
                Extent::Assumed | Extent::AssumedSize | Extent::Unknown => None,
            })
            .collect();
        let length = variable.length.map(|length| integer(procedure, length));
        if variable.ty == Type::Unknown || length == Some(None) {
            return None;
        }
        Some(Member {
            variable: variable.clone(),
            shape: shape?,
            length: length.flatten(),
        })
    }

    pub(crate) fn add_to(&self, procedure: &mut Procedure) -> contraflow_ir::VarId {
        let name = naming::unique(procedure, &self.variable.name);
        let is_record = matches!(self.variable.ty, Type::Record(_));
        let mut b = Builder::new(procedure);
        let shape = self
            .shape
            .iter()
            .map(|&(lower, count)| Dim {
                lower: b.int(lower.into()),
                extent: count.map_or(Extent::Deferred, |count| Extent::Count(b.int(count.into()))),
            })
            .collect();
        let length = self.length.map(|length| b.int(length.into()));
        b.variable(Variable {
            name,
            shape,
            length,
            spelling: self
                .variable
                .spelling
                .clone()
                .filter(|s| is_record || is_plain(s)),
            initial: None,
            values: Vec::new(),
            imported: true,
            ..self.variable.clone()
        })
    }
}

/// Whether a type is spelt in words that mean the same everywhere.
fn is_plain(spelling: &str) -> bool {
    let words = spelling.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).all(|word| {
        let known = [
            "real",
            "double",
            "precision",
            "integer",
            "logical",
            "complex",
            "float",
            "int",
            "long",
            "doubleprecision",
            "doublecomplex",
        ];
        known.iter().any(|plain| word.eq_ignore_ascii_case(plain))
            || word.bytes().all(|b| b.is_ascii_digit())
    })
}

/// The variable by which some procedure names the global: it has the facts that a front end knows.
fn model_of(module: &Module, global: GlobalId) -> Option<Member> {
    module
        .procedures
        .iter()
        .flat_map(|(_, procedure)| {
            let variables = procedure.variables.iter();
            variables.map(move |(_, variable)| (procedure, variable))
        })
        .find(|(_, variable)| variable.storage == Storage::Global(global))
        .and_then(|(procedure, variable)| Member::of(procedure, variable))
}

/// The members of a COMMON block as the procedure has them that names most of it, without gaps.
fn layout(module: &Module, effects: &Effects, block: CommonId) -> Vec<Member> {
    let mut best: (i64, Vec<Member>) = (0, Vec::new());
    for (id, procedure) in module.procedures.iter() {
        let mut members: Vec<(i64, i64, &Variable)> = procedure
            .variables
            .iter()
            .filter(|(_, variable)| is_member(variable, block))
            .filter_map(|(var, variable)| match effects.shared(id, var)? {
                Shared::Common { start, end, .. } => Some((start, end, variable)),
                _ => None,
            })
            .collect();
        members.sort_by_key(|&(start, end, _)| (start, end));
        let mut reached = 0;
        let mut chosen = Vec::new();
        for (start, end, variable) in members {
            if start == reached
                && let Some(member) = Member::of(procedure, variable)
            {
                chosen.push(member);
                reached = end;
            }
        }
        if reached > best.0 {
            best = (reached, chosen);
        }
    }
    best.1
}
