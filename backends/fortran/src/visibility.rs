//! Who sees whom across modules.
//!
//! A derived procedure calls specific procedures where the primal may have called a generic name, and
//! procedures of other modules under their own names where the primal may have renamed them. So a
//! callee of another module is imported unless a `USE` line brings it in under its name. One that its
//! module keeps to itself is reached through a generic name that the copy of the module adds.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_backend_common::{placement, usage};
use contraflow_ir::{
    ContainerId, ContainerKind, Global, GlobalId, Module, Procedure, ProcedureId, ProcedureRole,
    Storage,
};

use crate::calls::procedure_name;
use crate::emitter::Emitter;

/// What a `USE` line says: the module, and the names that it brings (`local`, `there`); whether it
/// brings only those.
struct UseLine {
    module: String,
    names: Vec<(String, String)>,
    only: bool,
}

impl UseLine {
    fn of(line: &str) -> Option<Self> {
        let lower = line.split('!').next()?.trim().to_ascii_lowercase();
        let rest = lower.strip_prefix("use")?;
        let rest = match rest.split_once("::") {
            Some((_, rest)) => rest,
            None if rest.starts_with([' ', '\t']) => rest,
            None => return None,
        };
        if rest.contains('&') {
            return None;
        }
        let (module, list) = match rest.split_once(',') {
            Some((module, list)) => (module, list.trim()),
            None => (rest, ""),
        };
        let (only, list) = match list.strip_prefix("only") {
            Some(list) => (true, list.trim().strip_prefix(':')?),
            None => (false, list),
        };
        let names = list
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(|name| match name.split_once("=>") {
                Some((local, there)) => (local.trim().to_owned(), there.trim().to_owned()),
                None => (name.to_owned(), name.to_owned()),
            })
            .collect();
        Some(Self {
            module: module.trim().to_owned(),
            names,
            only,
        })
    }

    /// Whether the line brings a procedure of a module in under its own name.
    fn brings(&self, module: &str, name: &str) -> bool {
        if !self.module.eq_ignore_ascii_case(module) {
            return false;
        }
        let name = name.to_ascii_lowercase();
        let renamed = self
            .names
            .iter()
            .any(|(local, there)| *there == name && *local != name);
        let named = self
            .names
            .iter()
            .any(|(local, there)| *there == name && *local == name);
        named || (!self.only && !renamed)
    }
}

impl Emitter<'_> {
    /// Whether the procedure stands in a submodule of a module, directly or not.
    pub(crate) fn is_below(&self, ancestor: ContainerId) -> bool {
        let mut at = self.procedure.home.container;
        for _ in 0..100 {
            let Some(container) = at else {
                return false;
            };
            if container == ancestor {
                return true;
            }
            let here = &self.module.containers[container];
            if here.kind != ContainerKind::Submodule {
                return false;
            }
            let text = self.sources.snippet(here.span);
            let around = text
                .split_once('(')
                .and_then(|(_, rest)| rest.split(')').next())
                .unwrap_or("");
            let name = around.rsplit(':').next().unwrap_or("").trim();
            let mut others = self.module.containers.iter();
            at = others
                .find(|(id, other)| {
                    *id != container
                        && other.kind != ContainerKind::TranslationUnit
                        && other.name.eq_ignore_ascii_case(name)
                })
                .map(|(id, _)| id);
        }
        false
    }

    /// The name by which a procedure of another module is called, which is thereby imported.
    pub(crate) fn name_in_module(&mut self, id: ProcedureId, container: ContainerId) -> String {
        let callee = &self.module.procedures[id];
        let module = &self.module.containers[container].name;
        let name = if is_hidden(callee) {
            access_name(self.module, callee)
        } else {
            procedure_name(callee)
        };
        if is_hidden(callee) || !self.is_brought(module, &name, callee) {
            let entities = self.imports.uses.entry(module.clone()).or_default();
            entities.insert(name.clone());
        }
        name
    }

    /// Whether the primal's `USE` lines, or those of its module, bring a procedure in.
    fn is_brought(&self, module: &str, name: &str, callee: &Procedure) -> bool {
        if callee.role != ProcedureRole::Primal {
            return false;
        }
        self.use_lines()
            .iter()
            .any(|line| line.brings(module, name))
    }

    /// Whether a module that the primal uses holds the interface of an external procedure: a second one
    /// would contradict it.
    pub(crate) fn has_imported_interface(&self, callee: &Procedure) -> bool {
        if callee.role != ProcedureRole::Primal || callee.home.container.is_some() {
            return false;
        }
        let name = callee.name.to_ascii_lowercase();
        let modules: Vec<&str> = self
            .module
            .procedures
            .iter()
            .filter(|(_, other)| !other.has_body && other.name.eq_ignore_ascii_case(&name))
            .filter_map(|(_, other)| other.home.container)
            .map(|container| self.module.containers[container].name.as_str())
            .collect();
        self.use_lines().iter().any(|line| {
            let is_named = line
                .names
                .iter()
                .any(|(local, there)| *local == name && *there == name);
            is_named || modules.iter().any(|module| line.brings(module, &name))
        })
    }

    /// The `USE` lines of the primal, of its host and of its module.
    fn use_lines(&self) -> Vec<UseLine> {
        let own = self.procedure.home.prologue.iter();
        let host = self.procedure.home.host;
        let hosts = host.map_or(&[][..], |host| {
            &self.module.procedures[host].home.prologue[..]
        });
        let around = self.procedure.home.container.map(|container| {
            let container = &self.module.containers[container];
            let mut span = container.span;
            span.end = container.declare_at.clamp(span.start, span.end);
            self.sources.snippet(span)
        });
        let around = around.unwrap_or_default();
        own.chain(hosts)
            .map(String::as_str)
            .chain(around.lines())
            .filter_map(UseLine::of)
            .collect()
    }
}

/// The module through which others see a procedure: that of its interface, or its own.
pub(crate) fn seen_in(procedure: &Procedure) -> Option<ContainerId> {
    procedure.home.interface.or(procedure.home.container)
}

/// The separate module procedures among `derived` whose interface a container must declare.
pub(crate) fn separate(
    module: &Module,
    derived: &[ProcedureId],
    container: ContainerId,
) -> Vec<ProcedureId> {
    let is_declared = |id: &&ProcedureId| {
        let home = &module.procedures[**id].home;
        home.interface == Some(container) && home.host.is_none()
    };
    derived.iter().filter(is_declared).copied().collect()
}

/// Whether only a generic name of its module reaches a procedure from outside.
fn is_hidden(callee: &Procedure) -> bool {
    callee.is_private && callee.role == ProcedureRole::Primal && callee.home.host.is_none()
}

/// The generic name that makes a private procedure known outside of its module.
pub(crate) fn access_name(module: &Module, callee: &Procedure) -> String {
    let base = format!("{}_access", procedure_name(callee));
    let is_free = |name: &str| {
        module.procedures_named(name).is_empty()
            && !module
                .globals
                .iter()
                .any(|(_, global)| global.name.eq_ignore_ascii_case(name))
    };
    std::iter::once(base.clone())
        .chain((1u32..).map(|number| format!("{base}{number}")))
        .find(|name| is_free(name))
        .unwrap_or(base)
}

/// The public name that the copy of a module gives to a private variable.
pub(crate) fn variable_access_name(module: &Module, global: &Global) -> String {
    let base = format!("{}_access", global.name);
    let is_free = |name: &str| {
        module.procedures_named(name).is_empty()
            && !module
                .globals
                .iter()
                .any(|(_, global)| global.name.eq_ignore_ascii_case(name))
            && module
                .procedures
                .iter()
                .all(|(_, procedure)| procedure.variable_named(name).is_none())
    };
    std::iter::once(base.clone())
        .chain((1u32..).map(|number| format!("{base}{number}")))
        .find(|name| is_free(name))
        .unwrap_or(base)
}

/// The private variables of each module that derived procedures outside of it name.
pub(crate) fn hidden_variables(
    module: &Module,
    derived: &[ProcedureId],
) -> BTreeMap<ContainerId, BTreeSet<GlobalId>> {
    let mut found: BTreeMap<ContainerId, BTreeSet<GlobalId>> = BTreeMap::new();
    for &id in derived {
        let procedure = &module.procedures[id];
        for (var, variable) in procedure.variables.iter() {
            let Storage::Global(id) = variable.storage else {
                continue;
            };
            let global = &module.globals[id];
            if let Some(container) = global.container
                && variable.imported
                && global.is_private
                && module.containers[container].kind == ContainerKind::Module
                && usage::names(procedure, var)
            {
                found.entry(container).or_default().insert(id);
            }
        }
    }
    found
}

/// The private procedures of each module that derived procedures outside of it call.
pub(crate) fn hidden_callees(
    module: &Module,
    derived: &[ProcedureId],
) -> BTreeMap<ContainerId, BTreeSet<ProcedureId>> {
    let mut found: BTreeMap<ContainerId, BTreeSet<ProcedureId>> = BTreeMap::new();
    for &id in derived {
        let procedure = &module.procedures[id];
        for callee in placement::callees(procedure) {
            let target = &module.procedures[callee];
            let Some(container) = target.home.container else {
                continue;
            };
            let is_module = module.containers[container].kind == ContainerKind::Module;
            if is_module && is_hidden(target) && procedure.home.container != Some(container) {
                found.entry(container).or_default().insert(callee);
            }
        }
    }
    found
}

/// Whether other modules see a derived procedure: as its primal, or because they need it. What no
/// derived procedure calls is what the user asked for.
pub(crate) fn is_seen(module: &Module, id: ProcedureId) -> bool {
    let procedure = &module.procedures[id];
    let mut callers = module
        .procedures
        .iter()
        .filter(|(caller, other)| {
            *caller != id
                && other.role != ProcedureRole::Primal
                && placement::callees(other).contains(&id)
        })
        .peekable();
    !procedure.is_private
        || callers.peek().is_none()
        || callers.any(|(_, caller)| caller.home.container != seen_in(procedure))
}

#[cfg(test)]
mod tests {
    use super::UseLine;

    fn brings(line: &str, name: &str) -> bool {
        UseLine::of(line).is_some_and(|line| line.brings("A", name))
    }

    #[test]
    fn use_lines_bring_what_they_name() {
        assert!(brings("USE a", "f"));
        assert!(brings("use :: a, g => h", "f"));
        assert!(brings("use, non_intrinsic :: a, only: f, g", "f"));
        assert!(!brings("use a, g => f", "f"));
        assert!(!brings("use a, only: g => f", "f"));
        assert!(!brings("use a, only: g", "f"));
        assert!(!brings("use b", "f"));
        assert!(!brings("used = a", "f"));
    }
}
