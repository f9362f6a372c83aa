//! Names of generated entities: unique in their procedure without regard to case, since Fortran
//! has none.

use contraflow_ir::{Module, Procedure, ProcedureId};

/// `base`, or `base` with the smallest number that makes it unique among the procedure's variables.
pub fn unique(procedure: &Procedure, base: &str) -> String {
    let taken = |name: &str| {
        procedure.name.eq_ignore_ascii_case(name) || procedure.variable_named(name).is_some()
    };
    first_free(base, taken)
}

/// The name of the shadow of a variable called `base`.
pub fn shadow_name(procedure: &Procedure, base: &str, suffix: &str) -> String {
    unique(procedure, &format!("{base}{suffix}"))
}

/// What the names of procedures derived from `id` begin with: its name, after that of its host.
pub fn base(module: &Module, id: ProcedureId) -> String {
    let procedure = &module.procedures[id];
    match procedure.home.host {
        Some(host) => format!("{}_{}", module.procedures[host].name, procedure.name),
        None => procedure.name.clone(),
    }
}

/// The name of a derived procedure: `base` with the suffix, and a number where that is taken.
pub fn procedure_name(module: &Module, base: &str, suffix: &str) -> String {
    first_free(&format!("{base}{suffix}"), |name| {
        !module.procedures_named(name).is_empty()
            || module
                .globals
                .iter()
                .any(|(_, global)| global.name.eq_ignore_ascii_case(name))
    })
}

/// The name of the shadow of a global called `base`.
pub fn global_shadow_name(module: &Module, base: &str, suffix: &str) -> String {
    procedure_name(module, base, suffix)
}

fn first_free(base: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(base) {
        return base.to_owned();
    }
    (1u32..)
        .map(|number| format!("{base}{number}"))
        .find(|name| !taken(name))
        .expect("invariant: some number is free")
}
