//! What the entries of a procedure keep between calls: each entry is a procedure of its own, so a
//! saved local that several of them name becomes a global that only they see.

use crate::declare::Program;
use crate::declare::scope::ScopeId;
use contraflow_ir::{Global, GlobalKind, Module, ProcedureId, Storage, VarId};
use std::collections::BTreeMap;

/// Makes globals of the saved variables that entries share.
pub fn share(program: &Program, module: &mut Module) {
    for scope in 0..program.scopes.len() {
        if program.scopes[scope].entries.is_empty() {
            continue;
        }
        for (name, owners) in saved(program, module, scope) {
            if owners.len() > 1 {
                let global = global(program, module, scope, &name, owners[0]);
                let global = module.globals.add(global);
                for (procedure, var) in owners {
                    module.procedures[procedure].variables[var].storage = Storage::Global(global);
                }
            }
        }
    }
}

type Owners = Vec<(ProcedureId, VarId)>;

/// The saved variables of a procedure and its entries, by name.
fn saved(program: &Program, module: &Module, scope: ScopeId) -> BTreeMap<String, Owners> {
    let mut found: BTreeMap<String, Owners> = BTreeMap::new();
    let entries = &program.scopes[scope].entries;
    let group = std::iter::once(scope).chain(entries.iter().copied());
    for procedure in group.filter_map(|scope| program.scopes[scope].procedure) {
        for (var, variable) in module.procedures[procedure].variables.iter() {
            if variable.storage == Storage::Saved {
                let name = variable.name.to_ascii_lowercase();
                found.entry(name).or_default().push((procedure, var));
            }
        }
    }
    found
}

fn global(
    program: &Program,
    module: &Module,
    scope: ScopeId,
    name: &str,
    (procedure, var): (ProcedureId, VarId),
) -> Global {
    let variable = &module.procedures[procedure].variables[var];
    let shape = match program.scopes[scope].symbols.get(name) {
        Some(symbol) => program.fixed_shape(scope, &symbol.dims),
        None => Vec::new(),
    };
    Global {
        name: variable.name.clone(),
        span: variable.span,
        container: module.procedures[procedure].home.container,
        kind: GlobalKind::Saved,
        is_private: true,
        ty: variable.ty,
        spelling: variable.spelling.clone(),
        shape,
        allocation: variable.allocation,
        shadow_of: None,
        declared_by: Some((procedure, var)),
    }
}
