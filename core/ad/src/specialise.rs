//! Which procedures are derived, for which patterns of active arguments.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{Diagnostic, Module, VarId};

use crate::analysis::Effects;
use crate::pipeline::Specialisation;
use crate::request::Request;

/// The specialisations, the head's first, callers before callees; and warnings.
///
/// # Errors
/// What activity refuses: inactive outputs, active calls without source or rule.
pub fn specialise(
    module: &Module,
    _effects: &Effects,
    request: &Request,
) -> Result<(Vec<Specialisation>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let procedure = &module.procedures[request.head];
    let active: BTreeSet<VarId> = procedure
        .variables
        .iter()
        .filter(|(var, v)| {
            v.ty.is_differentiable()
                && !v.is_constant()
                && (!v.is_argument()
                    || request.independents.contains(var)
                    || request.dependents.contains(var)
                    || v.intent != contraflow_ir::Intent::In)
        })
        .map(|(var, _)| var)
        .collect();
    Ok((
        vec![Specialisation {
            procedure: request.head,
            active,
            callees: BTreeMap::new(),
        }],
        Vec::new(),
    ))
}
