//! Forward mode: the directional derivative beside the primal's own computation.
//!
//! A tangent procedure is its primal with a tangent statement before (or after) each assignment to
//! an active variable:
//!
//! ```text
//! v = φ(u…)   becomes   v_d = Σ ∂φ/∂u · u_d ;  v = φ(u…)
//! ```
//!
//! Primal statements are kept as they are and in their order, so primal results are those of the
//! primal bit for bit. The tangent statement stands first, since `v` may be among `u…`; it stands
//! second where the derivative is written with the result and `v` is not among them.
//!
//! **Shadows are right at all points**, not only where they are varied: each assignment to an
//! active variable sets its shadow, to zero where the value is passive. So a shadow is defined
//! wherever its variable is, and is set to zero at the start only
//! * where a call without derivative, or quoted text, writes the variable;
//! * at the head, where the variable is no independent one and its value at entry matters. The
//!   shadow of a dependent variable of unknown size is taken as it is: elements that the primal
//!   keeps, keep their tangent. Other shadows of unknown size, and those of memory that the head
//!   does not see, the caller has to set to zero, and is told.
//!
//! Allocation, release, and pointer assignment are mirrored on shadows. Parallel directives around
//! active code are left out: what they say of the primal's variables does not cover shadows.

mod calls;
mod expression;
mod shadows;
mod statements;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use contraflow_ir::{
    Diagnostic, Module, Procedure, ProcedureId, ProcedureKind, ProcedureRole, VarId,
};

use self::statements::Sweep;
use crate::Derivative;
use crate::analysis::{Activity, Effects, SpecialisationId};
use crate::naming;
use crate::pointing::{self, Pointing};
use crate::request::Request;
use crate::shared_shadows::SharedShadows;

/// How a tangent procedure is called.
#[derive(Clone, PartialEq, Debug)]
struct Signature {
    procedure: ProcedureId,
    /// For each formal argument of the primal, whether a shadow follows it.
    shadowed: Vec<bool>,
    /// Whether the function's value has a shadow.
    result_shadowed: bool,
}

/// What all tangent procedures of a program are made from.
struct Order<'a> {
    module: &'a Module,
    effects: &'a Effects,
    activity: &'a Activity,
    request: &'a Request,
    memory: SharedShadows,
    signatures: BTreeMap<SpecialisationId, Signature>,
}

/// The tangent procedures of a head and of all that it calls with active values.
///
/// # Errors
/// `no-tangent`: a construct whose shadow cannot be formed, with its place.
pub fn tangents(
    module: &Module,
    effects: &Effects,
    activity: &Activity,
    pointings: &[Pointing],
    request: &Request,
) -> Result<Derivative, Vec<Diagnostic>> {
    let mut derived = module.clone();
    let memory = SharedShadows::make(&mut derived, activity, pointings, &request.suffix);
    let order = activity.bottom_up();
    let places = add_placeholders(&mut derived, activity, &order, &request.suffix);
    let mut order_of_work = Order {
        module,
        effects,
        activity,
        request,
        memory,
        signatures: BTreeMap::new(),
    };
    for &id in &order {
        let signature = signature(&order_of_work, id, places[&id]);
        order_of_work.signatures.insert(id, signature);
    }
    let mut problems = Vec::new();
    let mut diagnostics = activity.warnings().to_vec();
    for &id in &order {
        let place = places[&id];
        let name = derived.procedures[place].name.clone();
        match tangent(&order_of_work, id, name) {
            Ok(tangent) => {
                derived.procedures[place] = tangent.procedure;
                diagnostics.extend(tangent.diagnostics);
            }
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let head = places[&activity.head()];
    let both = (head, request.head);
    pointing::follow(&mut derived, both, pointings, &order_of_work.memory);
    Ok(Derivative {
        module: derived,
        head,
        primal: None,
        derived: order.iter().map(|id| places[id]).collect(),
        diagnostics,
        report: Vec::new(),
        rows: Vec::new(),
        time: 0.0,
        peak: Default::default(),
        watched: None,
        plans: Vec::new(),
    })
}

/// Gives each tangent procedure its id and its name; the head has the first choice of names.
fn add_placeholders(
    derived: &mut Module,
    activity: &Activity,
    order: &[SpecialisationId],
    suffix: &str,
) -> BTreeMap<SpecialisationId, ProcedureId> {
    let primal = |id: SpecialisationId| activity[id].procedure;
    let head = activity.head();
    let head_name = naming::procedure_name(derived, &naming::base(derived, primal(head)), suffix);
    let mut places = BTreeMap::new();
    for &id in order {
        let place = derived.procedures.add(Procedure::new(head_name.clone()));
        places.insert(id, place);
        if id != head {
            let base = naming::base(derived, primal(id));
            let name = naming::procedure_name(derived, &base, suffix);
            derived.procedures[place].name = name;
        }
    }
    places
}

fn signature(order: &Order<'_>, id: SpecialisationId, place: ProcedureId) -> Signature {
    let specialisation = &order.activity[id];
    let procedure = &order.module.procedures[specialisation.procedure];
    Signature {
        procedure: place,
        shadowed: (0..procedure.arguments.len())
            .map(|position| shadows::is_passed(order, id, position))
            .collect(),
        result_shadowed: procedure
            .result()
            .is_some_and(|result| specialisation.is_active(result)),
    }
}

struct Tangent {
    procedure: Procedure,
    diagnostics: Vec<Diagnostic>,
}

fn tangent(
    order: &Order<'_>,
    id: SpecialisationId,
    name: String,
) -> Result<Tangent, Vec<Diagnostic>> {
    let primal = order.activity[id].procedure;
    let mut out = order.module.procedures[primal].clone();
    out.name = name;
    out.role = ProcedureRole::Tangent { of: primal };
    let shadows = shadows::create(order, id, &mut out)?;
    let mut sweep = Sweep::new(order, id, out, shadows);
    let start = sweep.start();
    let body = std::mem::take(&mut sweep.out.body);
    let body = sweep.block(&body);
    sweep.out.body = start.into_iter().chain(body).collect();
    if !sweep.problems.is_empty() {
        return Err(sweep.problems);
    }
    Ok(Tangent {
        procedure: sweep.out,
        diagnostics: sweep.diagnostics,
    })
}

/// Makes a subroutine of a function: its value is the last argument, its shadow follows.
fn return_by_argument(out: &mut Procedure) -> Option<VarId> {
    let result = out.result()?;
    out.kind = ProcedureKind::Subroutine;
    Some(result)
}
