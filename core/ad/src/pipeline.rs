//! The order of the passes, on one page.
//!
//! ```text
//! module ─▶ effects ─▶ activity ─▶ specialisations ─▶ shadows of globals
//!        ─▶ for each specialisation, in parallel: adjoint (or tangent) ─▶ module with derivatives
//! ```

use contraflow_ir::{Diagnostic, Module, ProcedureId, Sources};
use rayon::prelude::*;

use crate::adjoint::{self, Adjoint, Boundary, CalleeAdjoint, GlobalShadows, Order};
use crate::analysis::Effects;
use crate::request::{Mode, Request};
use crate::specialise::{Specialisation, specialise};
use crate::{Derivative, naming};

/// Runs everything.
pub fn run(
    module: &Module,
    sources: &Sources,
    request: &Request,
) -> Result<Derivative, Vec<Diagnostic>> {
    let effects = Effects::of(module);
    let (specialisations, diagnostics) = specialise(module, &effects, request)?;
    match request.mode {
        Mode::Adjoint => adjoints(
            module,
            sources,
            request,
            &effects,
            &specialisations,
            diagnostics,
        ),
        Mode::Tangent => Err(vec![Diagnostic::error(
            "unfinished",
            "the tangent is not written yet",
        )]),
    }
}

fn adjoints(
    module: &Module,
    sources: &Sources,
    request: &Request,
    effects: &Effects,
    specialisations: &[Specialisation],
    mut diagnostics: Vec<Diagnostic>,
) -> Result<Derivative, Vec<Diagnostic>> {
    let mut derived_module = module.clone();
    let mut globals = GlobalShadows::default();
    for specialisation in specialisations {
        globals.prepare(module, specialisation, &request.suffix);
    }
    for global in &globals.made {
        derived_module.globals.add(global.clone());
    }
    let names = names(module, specialisations, &request.suffix);
    let signatures: Vec<CalleeAdjoint> = specialisations
        .iter()
        .enumerate()
        .map(|(index, specialisation)| {
            let id = ProcedureId::from_index(module.procedures.len() + index);
            adjoint::callee_signature(module, specialisation, id)
        })
        .collect();
    let built: Vec<Result<Adjoint, Vec<Diagnostic>>> = specialisations
        .par_iter()
        .enumerate()
        .map(|(index, specialisation)| {
            let boundary = if index + 1 == specialisations.len() {
                Boundary::Head {
                    independents: request.independents.iter().copied().collect(),
                    dependents: request.dependents.iter().copied().collect(),
                }
            } else {
                Boundary::Callee
            };
            let order = Order {
                module,
                sources,
                effects,
                id: specialisation.procedure,
                specialisation,
                boundary,
                callees: specialisation
                    .callees
                    .iter()
                    .map(|(&stmt, &callee)| (stmt, signatures[callee].clone()))
                    .collect(),
                name: names[index].clone(),
                suffix: request.suffix.clone(),
                planner: request.planner,
            };
            adjoint::adjoint(&order, &globals)
        })
        .collect();
    let mut problems = Vec::new();
    let mut report = Vec::new();
    let mut derived = Vec::new();
    for result in built {
        match result {
            Ok(adjoint) => {
                derived.push(derived_module.procedures.add(adjoint.procedure));
                report.extend(adjoint.report);
                diagnostics.extend(adjoint.diagnostics);
            }
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let head = derived[derived.len() - 1];
    Ok(Derivative {
        module: derived_module,
        head,
        derived,
        diagnostics,
        report,
    })
}

/// A name for each derived procedure, unique in the program.
fn names(module: &Module, specialisations: &[Specialisation], suffix: &str) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for specialisation in specialisations {
        let base = &module.procedures[specialisation.procedure].name;
        let name = naming::procedure_name(module, base, suffix);
        let is_free = |name: &str| !taken.iter().any(|other| other.eq_ignore_ascii_case(name));
        let name = if is_free(&name) {
            name
        } else {
            (1u32..)
                .map(|number| naming::procedure_name(module, base, &format!("{suffix}{number}")))
                .find(|name| is_free(name))
                .expect("invariant: some number is free")
        };
        taken.push(name);
    }
    taken
}
