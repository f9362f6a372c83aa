//! Saved locals become variables of a generated module.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Allocation, Container, ContainerId, ContainerKind, Diagnostic, Extent, Global,
    GlobalId, GlobalKind, Module, Procedure, ProcedureId, Span, Storage, Type, VarId,
};

use super::constant::{integer, without_names};
use super::{State, memory, start};
use crate::analysis::{Dependence, Effects, Shared, Tree};
use crate::naming;
use crate::request::{Request, Saved};

/// Arrays of so many values and more are tables of the generated module, not of each procedure.
const LARGE: u64 = 64;

/// The module in which all that the head keeps between calls is named by globals of a generated
/// module, and the names of these; nothing where the head keeps nothing.
///
/// # Errors
/// `saved-state`: state that the generated module cannot declare.
pub fn separate(
    module: &Module,
    effects: &Effects,
    request: &Request,
) -> Result<Option<(Module, State)>, Vec<Diagnostic>> {
    let found = kept(module, effects, request.head);
    let memory = memory::found(module, effects, request);
    if found.is_empty() && memory.is_empty() {
        return Ok(None);
    }
    let mut separated = module.clone();
    let mut state = State::default();
    let mut maker = Maker {
        module: &mut separated,
        state: &mut state,
        container: None,
        request,
        problems: Vec::new(),
    };
    for &kept in &found {
        maker.variable(effects, kept);
    }
    let problems = maker.problems;
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut container = maker.container;
    let mut home =
        |module: &mut Module| *container.get_or_insert_with(|| generated(module, request));
    memory::begin_anew(
        &mut separated,
        &mut state,
        effects,
        &memory,
        request,
        &mut home,
    )?;
    state.users = users(&separated, &state);
    if !memory.is_empty() {
        state.users.insert(request.head);
    }
    if request.saved == Saved::Fresh && state.users.contains(&request.head) {
        if calls_itself(module, effects, request.head) {
            let head = &module.procedures[request.head];
            let message = format!(
                "`{}` calls itself, and is to start anew at each call",
                head.name
            );
            return Err(vec![
                Diagnostic::error("saved-state", message)
                    .at(head.home.span, "recursive")
                    .with_help("use `--saved kept`, or differentiate a procedure that calls it"),
            ]);
        }
        start::begin_anew(&mut separated, &mut state, &found, request.head);
    }
    start::name_in_head(&mut separated, &mut state, request.head);
    Ok(Some((separated, state)))
}

/// Memory that procedures below a head keep between calls.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Kept {
    pub procedure: ProcedureId,
    pub var: VarId,
    /// The global that it is already, where several entries share it.
    pub global: Option<GlobalId>,
    pub is_written: bool,
}

/// What the head's calls may change between calls, and large tables.
fn kept(module: &Module, effects: &Effects, head: ProcedureId) -> Vec<Kept> {
    let mut found = Vec::new();
    for (shared, touch) in effects.callee_globals(head) {
        match shared {
            Shared::Saved(procedure, var) => {
                let variable = &module.procedures[procedure].variables[var];
                let is_table = variable.values.iter().map(|value| value.0).sum::<u64>() >= LARGE;
                if touch.write || is_table {
                    found.push(Kept {
                        procedure,
                        var,
                        global: None,
                        is_written: touch.write,
                    });
                }
            }
            Shared::Global(global) if module.globals[global].kind == GlobalKind::Saved => {
                if let Some((procedure, var)) = module.globals[global].declared_by {
                    found.push(Kept {
                        procedure,
                        var,
                        global: Some(global),
                        is_written: touch.write,
                    });
                }
            }
            Shared::Global(_) | Shared::Common { .. } => {}
        }
    }
    found
}

/// The procedures that touch changing state, or call such ones.
fn users(separated: &Module, state: &State) -> BTreeSet<ProcedureId> {
    let effects = Effects::of(separated);
    let written: BTreeSet<GlobalId> = separated
        .procedures
        .ids()
        .flat_map(|id| effects.callee_globals(id).collect::<Vec<_>>())
        .filter(|(_, touch)| touch.write)
        .filter_map(|(shared, _)| match shared {
            Shared::Global(global) => Some(global),
            _ => None,
        })
        .filter(|global| state.variables.iter().any(|entry| entry.0 == *global))
        .collect();
    let is_state =
        |shared: Shared| matches!(shared, Shared::Global(global) if written.contains(&global));
    let is_user = |id: ProcedureId| {
        effects
            .callee_globals(id)
            .any(|(shared, _)| is_state(shared))
    };
    separated
        .procedures
        .ids()
        .filter(|&id| is_user(id))
        .collect()
}

fn calls_itself(module: &Module, effects: &Effects, head: ProcedureId) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![head];
    while let Some(id) = pending.pop() {
        let procedure = &module.procedures[id];
        for stmt in procedure.all_statements() {
            if let contraflow_ir::Stmt::Call { callee, .. } = procedure.stmt(stmt) {
                for target in effects.targets(callee) {
                    if target == head {
                        return true;
                    }
                    if seen.insert(target) {
                        pending.push(target);
                    }
                }
            }
        }
    }
    false
}

struct Maker<'m> {
    module: &'m mut Module,
    state: &'m mut State,
    container: Option<ContainerId>,
    request: &'m Request,
    problems: Vec<Diagnostic>,
}

impl Maker<'_> {
    fn variable(&mut self, effects: &Effects, kept: Kept) {
        let Kept {
            procedure: id, var, ..
        } = kept;
        if kept.global.is_none() && is_dead_at_entry(self.module, effects, id, var) {
            let variable = &mut self.module.procedures[id].variables[var];
            variable.storage = Storage::Local;
            variable.initial = None;
            variable.values.clear();
            return;
        }
        if let Err(problem) = self.state_variable(kept) {
            self.problems.push(problem);
        }
    }

    fn state_variable(&mut self, kept: Kept) -> Result<(), Diagnostic> {
        let (id, var) = (kept.procedure, kept.var);
        let procedure = &mut self.module.procedures[id];
        self_contained(procedure, var)?;
        let variable = &procedure.variables[var];
        let shape = shape_of(procedure, var)?;
        let name = format!("{}_{}", procedure.name, variable.name);
        let global = Global {
            name: naming::global_shadow_name(self.module, &name, ""),
            span: variable_span(self.module, id, var),
            container: Some(self.container()),
            kind: GlobalKind::Module,
            ty: self.module.procedures[id].variables[var].ty,
            spelling: self.module.procedures[id].variables[var].spelling.clone(),
            shape,
            allocation: self.module.procedures[id].variables[var].allocation,
            is_private: false,
            shadow_of: None,
            declared_by: Some((id, var)),
        };
        let global = self.module.globals.add(global);
        self.module.procedures[id].variables[var].storage = Storage::Global(global);
        if let Some(shared) = kept.global {
            for (_, procedure) in self.module.procedures.iter_mut() {
                for (_, variable) in procedure.variables.iter_mut() {
                    if variable.storage == Storage::Global(shared) {
                        variable.storage = Storage::Global(global);
                    }
                }
            }
        }
        self.state.variables.push((global, id, var));
        Ok(())
    }

    fn container(&mut self) -> ContainerId {
        let container = self
            .container
            .unwrap_or_else(|| generated(self.module, self.request));
        self.container = Some(container);
        container
    }
}

/// The module that declares the state.
fn generated(module: &mut Module, request: &Request) -> ContainerId {
    let head = &module.procedures[request.head].name;
    let name = naming::procedure_name(module, head, &format!("{}_state", request.suffix));
    module.containers.add(Container {
        name,
        kind: ContainerKind::Generated,
        file: Span::NONE.file,
        span: Span::NONE,
        declare_at: 0,
        insert_at: 0,
        has_contains: false,
    })
}

fn variable_span(module: &Module, id: ProcedureId, var: VarId) -> Span {
    module.procedures[id].variables[var].span
}

/// Whether each call of the procedure overwrites what it reads of a saved variable.
fn is_dead_at_entry(module: &Module, effects: &Effects, id: ProcedureId, var: VarId) -> bool {
    let procedure = &module.procedures[id];
    let variable = &procedure.variables[var];
    if !effects.overlapping(id, var).is_empty() || variable.allocation != Allocation::Fixed {
        return false;
    }
    let tree = Tree::of(procedure);
    let dependence = Dependence::of(module, id, effects, &tree);
    procedure.all_statements().into_iter().all(|stmt| {
        let effects = effects.stmt(module, id, stmt);
        let reads: Vec<&Access> = effects
            .reads
            .iter()
            .filter(|read| read.var == var)
            .collect();
        let is_counted = tree.loops(stmt).into_iter().any(|l| {
            matches!(procedure.stmt(l),
                contraflow_ir::Stmt::Loop { variable, .. } if *variable == var)
        });
        reads
            .into_iter()
            .all(|read| is_counted || dependence.is_covered(stmt, read, None))
    })
}

/// Makes the values of a declaration such that another unit can repeat them.
pub(super) fn self_contained(procedure: &mut Procedure, var: VarId) -> Result<(), Diagnostic> {
    let variable = procedure.variables[var].clone();
    let refuse = |what: &str, help: &str| {
        Diagnostic::error(
            "saved-state",
            format!(
                "`{}` keeps its value between calls, and {what}",
                variable.name
            ),
        )
        .at(variable.span, "declared here")
        .with_help(help.to_owned())
    };
    let overlaid = procedure
        .variables
        .iter()
        .any(|(_, other)| matches!(other.storage, Storage::Overlay { base, .. } if base == var));
    if overlaid {
        return Err(refuse(
            "shares its memory with other variables",
            "put the variables of the EQUIVALENCE into a COMMON block",
        ));
    }
    if matches!(
        variable.ty,
        Type::Record(_) | Type::Unknown | Type::Procedure
    ) {
        return Err(refuse(
            "its type cannot be declared elsewhere",
            "make it a module variable or an argument",
        ));
    }
    let unknown = || {
        refuse(
            "its initial value is not known",
            "give it a value made of literals and named constants",
        )
    };
    if let Some(initial) = variable.initial {
        let plain = without_names(procedure, initial).ok_or_else(unknown)?;
        procedure.variables[var].initial = Some(plain);
    }
    for (position, &(_, value)) in variable.values.iter().enumerate() {
        let plain = without_names(procedure, value).ok_or_else(unknown)?;
        procedure.variables[var].values[position].1 = plain;
    }
    if let Some(length) = variable.length {
        let length = integer(procedure, length)
            .ok_or_else(|| refuse("its length is not constant", "give it a constant length"))?;
        let length = contraflow_ir::Builder::new(procedure).int(length.into());
        procedure.variables[var].length = Some(length);
    }
    Ok(())
}

/// Bounds as numbers; none for what is allocated.
fn shape_of(procedure: &Procedure, var: VarId) -> Result<Vec<(i64, Option<i64>)>, Diagnostic> {
    let variable = &procedure.variables[var];
    let refuse = || {
        Diagnostic::error(
            "saved-state",
            format!(
                "the shape of the saved variable `{}` is not constant",
                variable.name
            ),
        )
        .at(variable.span, "declared here")
        .with_help("make it a module variable or an argument")
    };
    variable
        .shape
        .iter()
        .map(|dim| match dim.extent {
            Extent::Count(count) => {
                let lower = integer(procedure, dim.lower).ok_or_else(refuse)?;
                let count = integer(procedure, count).ok_or_else(refuse)?;
                Ok((lower, Some(count)))
            }
            Extent::Deferred => Ok((1, None)),
            Extent::Assumed | Extent::AssumedSize | Extent::Unknown => Err(refuse()),
        })
        .collect()
}
