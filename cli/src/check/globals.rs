//! Variables of modules, translation units and COMMON blocks: those that the head's request names, those
//! that the user sets, and those that the head itself reads and changes.

use super::design::memory_of;
use super::experiment::{Element, Stale};
use super::place::{Holder, Member, Memory, Root, Span, record_type};
use super::quantities::{Design, Role, Unsaid, element_of, integer_value, positive};
use crate::head::Head;
use contraflow_ad::Derivative;
use contraflow_ad::analysis::Effects;
use contraflow_ir::{
    Argument, Callee, CommonId, ContainerKind, Diagnostic, Extent, GlobalId, GlobalKind, Module,
    Procedure, ProcedureId, Role as VariableRole, Stmt, Storage, Type, VarId, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// Adds them to the design.
pub fn add(
    design: &mut Design<'_>,
    module: &Module,
    head: &Head,
    tangent: &Derivative,
    adjoint: &Derivative,
) {
    let mut adder = Adder {
        shadows: [
            shadows(&tangent.module, 0),
            shadows(&adjoint.module, tangent.module.globals.len()),
        ],
        blocks: [block_names(tangent), block_names(adjoint)],
        added: Vec::new(),
    };
    for var in wanted(design, module, head) {
        let role = Role {
            independent: head.independents.contains(&var),
            dependent: head.dependents.contains(&var),
        };
        if let Err(error) = adder.add(design, var, role) {
            design.errors.push(error);
        }
    }
    for global in named(design) {
        if let Err(error) = adder.add_global(design, global, Role::default()) {
            design.errors.push(error);
        }
    }
}

/// The head's own names of memory that it does not get as arguments.
fn wanted(design: &Design<'_>, module: &Module, head: &Head) -> Vec<VarId> {
    let effects = Effects::of(module);
    let is_state = |var: VarId| {
        effects
            .shared(head.procedure, var)
            .map(|shared| effects.global(head.procedure, shared))
            .is_some_and(|touch| touch.read && touch.write)
    };
    let is_said = |variable: &Variable| design.is_mentioned(&variable.name);
    let is_driven = |var: VarId, variable: &Variable| {
        let is_asked = head.independents.contains(&var) || head.dependents.contains(&var);
        match variable.storage {
            Storage::Global(global) => {
                let global = &module.globals[global];
                let is_generated = global.container.is_some_and(|container| {
                    module.containers[container].kind == ContainerKind::Generated
                });
                let is_seen =
                    !global.is_private && global.kind != GlobalKind::FileStatic && !is_generated;
                is_asked
                    || global.kind != GlobalKind::Constant
                        && (is_said(variable) || is_state(var) && is_seen && is_plain(global))
            }
            Storage::Common { .. } => {
                is_asked
                    || is_said(variable)
                    || is_state(var) && !is_laid_over(design.procedure, var)
            }
            Storage::Saved | Storage::Overlay { .. } => is_asked,
            _ => false,
        }
    };
    design
        .procedure
        .variables
        .iter()
        .filter(|&(var, variable)| {
            variable.role == VariableRole::Primal && is_driven(var, variable)
        })
        .map(|(var, _)| var)
        .collect()
}

/// Whether the memory of a member of a COMMON block belongs to another member that begins before it.
fn is_laid_over(procedure: &Procedure, var: VarId) -> bool {
    let window = |var: VarId| {
        let variable = &procedure.variables[var];
        let Storage::Common { block, offset } = variable.storage else {
            return None;
        };
        let bytes = match variable.ty {
            Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
                i64::from(bytes)
            }
            Type::Complex { bytes } => 2 * i64::from(bytes),
            _ => return None,
        };
        let count = variable.shape.iter().try_fold(1, |total: i64, dim| {
            let Extent::Count(count) = dim.extent else {
                return None;
            };
            total.checked_mul(procedure.constant_integer(count)?)
        })?;
        let end = offset + u64::try_from(bytes.checked_mul(count)?).ok()?;
        Some((block, offset, end))
    };
    let Some((block, start, end)) = window(var) else {
        return false;
    };
    procedure.variables.iter().any(|(other, variable)| {
        let is_before = |from: u64, to: u64| {
            from <= start && end <= to && ((from, to) != (start, end) || other < var)
        };
        other != var
            && variable.role == VariableRole::Primal
            && window(other).is_some_and(|(of, from, to)| of == block && is_before(from, to))
    })
}

/// Whether a driver can save and restore it without being told anything.
fn is_plain(global: &contraflow_ir::Global) -> bool {
    let is_sized = global.shape.iter().all(|dim| dim.1.is_some());
    let is_known = global.ty.is_numeric() || matches!(global.ty, Type::Logical { .. });
    is_sized && is_known && memory_of(global.allocation) == Memory::Fixed
}

/// Globals that `--set` names and that the head does not: `module::name`, or a name that only one has.
fn named(design: &Design<'_>) -> Vec<GlobalId> {
    let module = design.module;
    let mut found = Vec::new();
    for name in design.setting.values.names() {
        let root = name.split('%').next().unwrap_or(name);
        let (container, short) = match root.rsplit_once("::") {
            Some((container, short)) => (Some(container), short),
            None => (None, root),
        };
        if container.is_none() && design.procedure.variable_named(short).is_some() {
            continue;
        }
        let fitting: Vec<GlobalId> = module
            .globals
            .iter()
            .filter(|(_, global)| {
                global.shadow_of.is_none()
                    && global.kind != GlobalKind::Constant
                    && global.name.eq_ignore_ascii_case(short)
                    && container.is_none_or(|wanted| {
                        global.container.is_some_and(|id| {
                            module.containers[id].name.eq_ignore_ascii_case(wanted)
                        })
                    })
            })
            .map(|(id, _)| id)
            .collect();
        if let [one] = fitting.as_slice() {
            found.push(*one);
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The shadows of globals among those from `first` on.
fn shadows(module: &Module, first: usize) -> BTreeMap<GlobalId, String> {
    module
        .globals
        .iter()
        .filter(|(id, _)| id.index() >= first)
        .filter_map(|(_, global)| Some((global.shadow_of?, global.name.clone())))
        .collect()
}

/// The blocks of shadows of COMMON blocks, as the derived procedures name them.
fn blocks(derivative: &Derivative) -> BTreeMap<CommonId, CommonId> {
    let mut found = BTreeMap::new();
    for &id in &derivative.derived {
        let procedure = &derivative.module.procedures[id];
        for (_, variable) in procedure.variables.iter() {
            let VariableRole::Shadow { of } = variable.role else {
                continue;
            };
            let storages = (procedure.variables[of].storage, variable.storage);
            if let (Storage::Common { block: of, .. }, Storage::Common { block, .. }) = storages
                && of != block
            {
                found.insert(of, block);
            }
        }
    }
    found
}

fn block_names(derivative: &Derivative) -> BTreeMap<CommonId, String> {
    let name = |block: CommonId| derivative.module.commons[block].name.clone();
    let pairs = blocks(derivative).into_iter();
    pairs.map(|(of, block)| (of, name(block))).collect()
}

struct Adder {
    shadows: [BTreeMap<GlobalId, String>; 2],
    blocks: [BTreeMap<CommonId, String>; 2],
    added: Vec<GlobalId>,
}

impl Adder {
    fn add(&mut self, design: &mut Design<'_>, var: VarId, role: Role) -> Result<(), Diagnostic> {
        let variable = &design.procedure.variables[var];
        match variable.storage {
            Storage::Global(global) => self
                .add_global(design, global, role)
                .map_err(|error| error.at(variable.span, "declared here")),
            Storage::Common { block, offset } => self.add_member(design, var, block, offset, role),
            _ => Err(Diagnostic::error(
                "check-global",
                format!("`check` cannot set `{}`: no driver sees it", variable.name),
            )
            .at(variable.span, "declared here")
            .with_help("check a procedure that takes it as an argument")),
        }
    }

    fn add_global(
        &mut self,
        design: &mut Design<'_>,
        id: GlobalId,
        role: Role,
    ) -> Result<(), Diagnostic> {
        if self.added.contains(&id) {
            return Ok(());
        }
        self.added.push(id);
        let module = design.module;
        let global = &module.globals[id];
        let container = global.container.map(|id| &module.containers[id]);
        let owner = container
            .filter(|container| container.kind == ContainerKind::Module)
            .map(|container| container.name.clone());
        if global.is_private {
            return Err(Diagnostic::error(
                "check-private",
                format!("`{}` is private, so no driver can set it", global.name),
            )
            .at(global.span, "declared here")
            .with_help("set it by a public procedure: `--before 'name(…)'`, or make it public"));
        }
        let name = match &owner {
            Some(owner) => format!("{owner}::{}", global.name),
            None => global.name.clone(),
        };
        let (ty, memory) = match global.ty {
            Type::Pointer(pointer) => (module.pointers[pointer].target, Memory::Pointer),
            ty => (ty, memory_of(global.allocation)),
        };
        let mut dims = Vec::new();
        for (number, &(lower, extent)) in global.shape.iter().enumerate() {
            let (lower, count) = match extent {
                Some(count) => (lower, count),
                None => (1, design.extent(&name, number)?),
            };
            dims.push(Span {
                lower,
                count: positive(&name, count)?,
            });
        }
        if matches!(global.ty, Type::Pointer(_)) {
            let count = design.extent(&name, 0)?;
            dims = vec![Span {
                lower: 0,
                count: positive(&name, count)?,
            }];
        }
        let record = match ty {
            Type::Record(record) => Some(record_type(module, record)),
            _ => None,
        };
        let holder = Holder {
            name,
            root: Root::Global {
                module: owner,
                is_static: global.kind == GlobalKind::FileStatic,
                tangent: self.shadows[0].get(&id).cloned(),
                adjoint: self.shadows[1].get(&id).cloned(),
            },
            record,
            dims,
            memory,
            by_value: false,
        };
        let unsaid = unsaid(design, role, memory);
        design.found(holder, ty, role, unsaid);
        Ok(())
    }

    fn add_member(
        &self,
        design: &mut Design<'_>,
        var: VarId,
        block: CommonId,
        offset: u64,
        role: Role,
    ) -> Result<(), Diagnostic> {
        let variable = &design.procedure.variables[var];
        let common = &design.module.commons[block];
        let dims = dims(design, variable)?;
        let members = members(design, var, block, offset)?;
        let holder = Holder {
            name: variable.name.clone(),
            root: Root::Common {
                block: common.name.clone(),
                members,
                tangent: self.blocks[0].get(&block).cloned(),
                adjoint: self.blocks[1].get(&block).cloned(),
            },
            record: None,
            dims,
            memory: Memory::Fixed,
            by_value: false,
        };
        let ty = variable.ty;
        let unsaid = unsaid(design, role, Memory::Fixed);
        design.found(holder, ty, role, unsaid);
        Ok(())
    }
}

fn dims(design: &Design<'_>, variable: &Variable) -> Result<Vec<Span>, Diagnostic> {
    let value = |e| {
        integer_value(design.procedure, e, &design.setting.values).map_err(|_| no_size(variable))
    };
    variable
        .shape
        .iter()
        .map(|dim| {
            let Extent::Count(count) = dim.extent else {
                return Err(no_size(variable));
            };
            Ok(Span {
                lower: value(dim.lower)?,
                count: positive(&variable.name, value(count)?)?,
            })
        })
        .collect()
}

/// The members of a block as the head has them, so that a compiler lays them out the same way.
fn members(
    design: &Design<'_>,
    meant: VarId,
    block: CommonId,
    offset: u64,
) -> Result<Vec<Member>, Diagnostic> {
    let procedure = design.procedure;
    let mut all: Vec<(u64, VarId)> = procedure
        .variables
        .iter()
        .filter(|(_, variable)| variable.role == VariableRole::Primal)
        .filter_map(|(var, variable)| match variable.storage {
            Storage::Common { block: of, offset } if of == block => Some((offset, var)),
            _ => None,
        })
        .collect();
    all.sort_by_key(|&(at, var)| (at, var != meant));
    let mut members = Vec::new();
    let mut end = 0;
    for (at, var) in all {
        let variable = &procedure.variables[var];
        let is_meant = var == meant;
        // What is laid over another member is left out, unless it is the one.
        if at < end && !is_meant {
            continue;
        }
        let length = variable
            .length
            .and_then(|e| integer_value(procedure, e, &design.setting.values).ok())
            .and_then(|length| u64::try_from(length).ok());
        let element = element_of(variable.ty, length.unwrap_or(1));
        let Some(element) = element.filter(|_| at >= end) else {
            return Err(Diagnostic::error(
                "check-global",
                format!(
                    "`check` does not know where `{}` is in its block",
                    procedure.variables[meant].name
                ),
            )
            .at(variable.span, "this is before it, or shares its memory")
            .with_help("check a procedure that takes it as an argument"));
        };
        let dims = dims(design, variable)?;
        end = at + bytes(element) * dims.iter().map(|dim| dim.count).product::<u64>();
        members.push(Member {
            element,
            dims,
            is_meant,
        });
        if is_meant && at >= offset {
            break;
        }
    }
    Ok(members)
}

fn bytes(element: Element) -> u64 {
    match element {
        Element::Real(bytes) | Element::Integer(bytes, _) | Element::Logical(bytes) => bytes.into(),
        Element::Complex(bytes) => 2 * u64::from(bytes),
        Element::Character(length) => length.max(1),
    }
}

/// Inputs are drawn, unless the user's own procedure sets them.
fn unsaid(design: &Design<'_>, role: Role, memory: Memory) -> Unsaid {
    let is_made = memory != Memory::Fixed;
    match design.setting.before.is_empty() {
        true if role.independent || is_made => Unsaid::Drawn,
        _ => Unsaid::Found,
    }
}

fn no_size(variable: &Variable) -> Diagnostic {
    Diagnostic::error(
        "check-size",
        format!("the size of `{}` is not known", variable.name),
    )
    .at(variable.span, "declared here")
}

/// Shadows of globals that no variable of the experiment stands for.
pub fn hidden_shadows(design: &Design<'_>, module: &Module) -> Vec<Stale> {
    let is_driven = |name: &str| {
        design.holders.iter().any(|holder| match &holder.root {
            Root::Global {
                tangent, adjoint, ..
            } => [tangent, adjoint]
                .iter()
                .any(|shadow| shadow.as_deref() == Some(name)),
            _ => false,
        })
    };
    // C has no modules: what derived functions keep is named after their generated scope.
    let name_of = |global: &contraflow_ir::Global| {
        let scope = global
            .container
            .map(|id| &module.containers[id])
            .filter(|container| container.kind == ContainerKind::Generated)
            .filter(|_| design.procedure.scalars_by_value);
        scope.map_or_else(
            || global.name.clone(),
            |scope| format!("{}_{}", scope.name, global.name),
        )
    };
    module
        .globals
        .iter()
        .map(|(_, global)| global)
        .filter(|global| global.shadow_of.is_some() && global.kind != GlobalKind::FileStatic)
        .filter(|global| global.ty.is_differentiable() && !is_driven(&global.name))
        .map(|global| {
            let counts = global.shape.iter().map(|dim| dim.1.unwrap_or(0));
            Stale::Global {
                module: global
                    .container
                    .map(|id| &module.containers[id])
                    .filter(|container| container.kind == ContainerKind::Module)
                    .map(|container| container.name.clone()),
                name: name_of(global),
                bytes: bytes_of(global.ty) * counts.product::<i64>().unsigned_abs(),
                is_dynamic: memory_of(global.allocation) != Memory::Fixed,
            }
        })
        .collect()
}

/// Shadows whose memory is made at run time and that no variable of the experiment stands for: nobody
/// would make it.
pub fn shadows_without_memory(design: &Design<'_>, module: &Module) -> Vec<Diagnostic> {
    let is_driven = |id: GlobalId| {
        let global = &module.globals[id];
        design.holders.iter().any(|holder| {
            let short = holder.name.rsplit("::").next().unwrap_or(&holder.name);
            matches!(holder.root, Root::Global { .. }) && short.eq_ignore_ascii_case(&global.name)
        })
    };
    let is_made = |global: &contraflow_ir::Global| match global.ty {
        Type::Record(record) => module.records[record].fields.iter().any(|field| {
            field.ty.is_differentiable() && memory_of(field.allocation) != Memory::Fixed
        }),
        ty => ty.is_differentiable() && memory_of(global.allocation) != Memory::Fixed,
    };
    // Derived code that makes the shadow itself needs none.
    let made = made_by_procedures(module);
    let shadows = module.globals.iter();
    shadows
        .filter(|&(id, global)| is_made(global) && !made.contains(&id))
        .filter_map(|(_, global)| global.shadow_of)
        .filter(|&of| !is_driven(of))
        .map(|of| {
            let global = &module.globals[of];
            Diagnostic::error(
                "check-size",
                format!("`{}` is active, and its shadow needs memory", global.name),
            )
            .at(global.span, "made at run time")
            .with_help(format!(
                "give the size: `--extent '{}=COUNT'`, of a record's component `{}%name=COUNT`",
                global.name, global.name
            ))
        })
        .collect()
}

/// Variables outside of procedures that some procedure allocates, or passes on to one that does.
fn made_by_procedures(module: &Module) -> BTreeSet<GlobalId> {
    let mut made: BTreeSet<(ProcedureId, VarId)> = BTreeSet::new();
    let mut calls = Vec::new();
    for (id, procedure) in module.procedures.iter() {
        for (_, node) in procedure.stmts.iter() {
            match &node.stmt {
                Stmt::Allocate { target, .. } => {
                    made.insert((id, target.var));
                }
                Stmt::Call {
                    callee: Callee::Procedure(callee),
                    arguments,
                    ..
                } => {
                    let formals = &module.procedures[*callee].arguments;
                    for (argument, &formal) in arguments.iter().zip(formals) {
                        if let Argument::Place(place) = argument {
                            calls.push(((*callee, formal), (id, place.var)));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    while let Some(at) = calls
        .iter()
        .position(|(formal, actual)| made.contains(formal) && !made.contains(actual))
    {
        made.insert(calls.swap_remove(at).1);
    }
    made.into_iter()
        .filter_map(
            |(id, var)| match module.procedures[id].variables[var].storage {
                Storage::Global(global) => Some(global),
                _ => None,
            },
        )
        .collect()
}

fn bytes_of(ty: Type) -> u64 {
    match ty {
        Type::Real { bytes } => bytes.into(),
        Type::Complex { bytes } => 2 * u64::from(bytes),
        _ => 0,
    }
}

/// The COMMON blocks of shadows that a derivative uses.
pub fn shadow_blocks(derivative: &Derivative) -> Vec<Stale> {
    blocks(derivative)
        .values()
        .map(|&block| {
            let common = &derivative.module.commons[block];
            Stale::Common {
                block: common.name.clone(),
                bytes: common.bytes,
            }
        })
        .collect()
}
