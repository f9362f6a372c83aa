//! What derived functions keep between calls: variables of the file that holds the derived head,
//! which the other files declare.

use contraflow_backend_common::{BREAK, Writer};
use contraflow_ir::{ContainerKind, Diagnostic, Global, GlobalId, Module, ProcedureId, Storage};

use crate::emitter::{Emitter, Needs, Setting};

/// The name of a global of a generated scope: the names of all these are different.
pub(crate) fn name(module: &Module, id: GlobalId) -> Option<String> {
    let global = &module.globals[id];
    let container = &module.containers[global.container?];
    (container.kind == ContainerKind::Generated)
        .then(|| format!("{}_{}", container.name, global.name))
}

/// The globals of generated scopes that procedures name.
pub(crate) fn used(module: &Module, ids: &[ProcedureId]) -> Vec<GlobalId> {
    let mut found: Vec<GlobalId> = ids
        .iter()
        .flat_map(|&id| module.procedures[id].variables.iter())
        .filter_map(|(_, variable)| match variable.storage {
            Storage::Global(global) => Some(global),
            _ => None,
        })
        .filter(|&global| name(module, global).is_some())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Definitions in the file of the derived head, declarations in others.
pub(crate) fn write(
    setting: Setting<'_>,
    ids: &[ProcedureId],
    needs: &mut Needs,
    out: &mut Writer,
) -> Vec<Diagnostic> {
    let module = setting.module;
    let mut errors = Vec::new();
    let defines = setting
        .derived
        .last()
        .is_some_and(|head| ids.contains(head));
    let globals = match defines {
        true => used(module, setting.derived),
        false => used(module, ids),
    };
    for id in globals {
        match declarator(setting, id, needs) {
            Ok(text) if defines => {
                let start = initial(setting, &module.globals[id], needs, &mut errors);
                out.line(&format!("{text}{start};"));
            }
            Ok(text) => out.line(&format!("extern {text};")),
            Err(found) => errors.extend(found),
        }
    }
    errors
}

fn origin(module: &Module, global: &Global) -> Option<(ProcedureId, contraflow_ir::VarId)> {
    let of = global.shadow_of.map_or(global, |of| &module.globals[of]);
    of.declared_by
}

fn declarator(
    setting: Setting<'_>,
    id: GlobalId,
    needs: &mut Needs,
) -> Result<String, Vec<Diagnostic>> {
    let module = setting.module;
    let global = &module.globals[id];
    let (Some(name), Some((owner, var))) = (name(module, id), origin(module, global)) else {
        return Ok(String::new());
    };
    let mut emitter = Emitter::new(setting, owner);
    let base = emitter.type_of(&emitter.procedure.variables[var]);
    let dims: String = global
        .shape
        .iter()
        .rev()
        .map(|&(_, extent)| extent.map_or("[]".to_owned(), |n| format!("[{n}]")))
        .collect();
    if !emitter.errors.is_empty() {
        return Err(emitter.errors);
    }
    needs.join(emitter.needs);
    let stars = crate::types::stars_of(module, global.ty);
    Ok(format!("{base} {stars}{name}{dims}"))
}

/// `{a, b}`
fn braced(values: &[String]) -> String {
    format!("{{{BREAK}{}}}", values.join(&format!(", {BREAK}")))
}

/// ` = value`
fn initial(
    setting: Setting<'_>,
    global: &Global,
    needs: &mut Needs,
    errors: &mut Vec<Diagnostic>,
) -> String {
    let Some((owner, var)) = global.declared_by else {
        return String::new();
    };
    let mut emitter = Emitter::new(setting, owner);
    emitter.inline_constants = true;
    let variable = &emitter.procedure.variables[var];
    let text = match variable.initial {
        Some(value) => format!(" = {}", emitter.value(value, variable.ty)),
        None if variable.values.is_empty() => String::new(),
        None => {
            let mut values = Vec::new();
            for &(count, value) in &variable.values {
                let text = emitter.value(value, variable.ty);
                values.extend((0..count).map(|_| text.clone()));
            }
            // Fastest first: rows become lists of their own.
            let inner = global.shape.len().saturating_sub(1);
            for &(_, count) in &global.shape[..inner] {
                let count = count.and_then(|count| usize::try_from(count).ok());
                let rows = values.chunks(count.unwrap_or(1).max(1));
                values = rows.map(braced).collect();
            }
            format!(" = {}", braced(&values))
        }
    };
    errors.append(&mut emitter.errors);
    needs.join(emitter.needs);
    text
}
