//! Everything that differentiates: activity, rules, adjoint, tangent, the plan of what is stored.

mod addresses;
pub mod adjoint;
mod aliasing;
mod allocation;
pub mod analysis;
pub mod callbacks;
pub mod checkpoint;
mod choice;
mod computed;
mod counting;
mod expose;
mod inline;
mod labels;
mod lift;
mod links;
pub mod naming;
mod overlays;
pub mod pipeline;
mod pointing;
mod quoted;
pub mod request;
pub mod rules;
mod settle;
mod shared_shadows;
pub mod sizes;
mod specialise;
mod state;
pub mod tangent;
mod temporaries;
#[cfg(test)]
mod testing;
mod unions;
mod unsaved;

pub use adjoint::time::hints::Hint;
pub use checkpoint::words::{Keep, ValueHint};
pub use request::{Mode, Planner, Request, Saved};

use contraflow_ir::{Diagnostic, Module, ProcedureId, Sources};

/// The derived procedures, in one module with the primal ones.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// The module: all ids of the primal module are still valid in it.
    pub module: Module,
    /// The derived procedure of the head.
    pub head: ProcedureId,
    /// The head on the state of its derivatives, where it was asked for and has state.
    pub primal: Option<ProcedureId>,
    /// All derived procedures, callees before callers.
    pub derived: Vec<ProcedureId>,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// What is stored and recomputed, for the report: one line per decision.
    pub report: Vec<String>,
    /// The same as a table.
    pub rows: Vec<checkpoint::Row>,
    /// Estimated extra time of the adjoint, in operations.
    pub time: f64,
    /// The most that the adjoint keeps at a time, by what is known of sizes.
    pub peak: checkpoint::measure::Peak,
    /// The most bytes that the adjoint may keep where that depends on how far its tapes grow: it counts them
    /// as it runs, and ends before it keeps more.
    pub watched: Option<f64>,
    /// The plans among which the derivative chooses at its entry, fastest first; none where it has one
    /// plan that is not checked there.
    pub plans: Vec<PlanAtEntry>,
}

/// One of several plans.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanAtEntry {
    /// The derived procedure of the head that follows it.
    pub procedure: ProcedureId,
    /// The derived procedure of the head.
    pub name: String,
    /// What it keeps, by what is known of sizes.
    pub bytes: f64,
    /// Its estimated extra time, in operations.
    pub time: f64,
}

/// Differentiates the head of a verified module. `sources` are the user's texts, quoted in comments.
///
/// # Errors
/// Diagnostics with places in the user's text: an inactive dependent, an active call without
/// source or rule, an active opaque statement.
pub fn differentiate(
    module: &Module,
    sources: &Sources,
    request: &Request,
) -> Result<Derivative, Vec<Diagnostic>> {
    pipeline::run(module, sources, request)
}
