//! State of its own: what saved locals become.
//!
//! A derived procedure stands in another unit than its primal and cannot see the variables that the
//! primal keeps between calls. So derived procedures have a copy of that state: each saved variable
//! that the head's calls may change becomes a variable of a generated module, with the same initial
//! values, shared by all that is derived for one request and by the copies of primal procedures that
//! it calls. The state starts as at the first call of a program and then lives its own life.
//!
//! What needs no state is left alone: variables that are never written are tables, and a saved
//! variable of which each call overwrites what it reads is a local.
//!
//! State may carry derivatives from one call of the head to the next. That is the user's choice, see
//! [`Saved`]: [`carried`] refuses where it is not made.

pub(crate) mod constant;
mod copies;
mod separate;
mod start;

use std::collections::BTreeSet;

use contraflow_ir::{Diagnostic, GlobalId, Module, ProcedureId, VarId};

pub use separate::separate;

use crate::Derivative;
use crate::analysis::Activity;
use crate::request::{Request, Saved};

/// The state of derived procedures.
#[derive(Clone, Default, Debug)]
pub struct State {
    /// The variables that hold it, with the saved variables that they were.
    pub variables: Vec<(GlobalId, ProcedureId, VarId)>,
    /// Procedures that touch it, or call such ones: derived procedures call copies of them.
    pub users: BTreeSet<ProcedureId>,
    /// The head's names of the variables that can carry derivatives.
    pub names: Vec<VarId>,
}

impl State {
    /// Gives the derived procedures copies of the primal procedures that they call and that touch the
    /// state. The list of derived procedures grows by them, callees before callers.
    pub fn copy_callees(&self, derivative: &mut Derivative, request: &Request) {
        copies::copy_callees(self, derivative, request);
    }
}

/// Refuses state whose value from an earlier call of the head would carry derivatives, unless the
/// user says what is meant.
pub fn carried(
    module: &Module,
    state: &State,
    activity: &Activity,
    request: &Request,
) -> Vec<Diagnostic> {
    if request.saved != Saved::Unspecified {
        return Vec::new();
    }
    let head = &activity[activity.head()];
    let procedure = &module.procedures[request.head];
    let is_carried =
        |var: VarId| head.is_active(var) && head.is_useful_in(var) && head.is_varied_out(var);
    let names = state.names.iter().copied().filter(|&var| is_carried(var));
    names
        .filter_map(|var| {
            let contraflow_ir::Storage::Global(global) = procedure.variables[var].storage else {
                return None;
            };
            let (_, owner, saved) = *state.variables.iter().find(|entry| entry.0 == global)?;
            let owner = &module.procedures[owner];
            let variable = &owner.variables[saved];
            let message = format!(
                "`{}` keeps its value from one call of `{}` to the next, and with it a derivative",
                variable.name, owner.name
            );
            Some(
                Diagnostic::error("saved-active", message)
                    .at(variable.span, "saved, and used before it is set")
                    .with_help(format!(
                        "say `--saved fresh` for the derivative of `{0}` called for the first time, or \
                         `--saved kept` to take what earlier calls left as constant",
                        procedure.name
                    )),
            )
        })
        .collect()
}

/// Warns of the user's own memory (COMMON, module variables) whose value from an earlier call of the
/// head would carry derivatives: the derivative takes what it holds as constant. Results that are kept
/// from the last call are then constants, too.
pub fn kept_by_the_user(
    module: &Module,
    activity: &Activity,
    request: &Request,
) -> Vec<Diagnostic> {
    let head = &activity[activity.head()];
    let procedure = &module.procedures[request.head];
    let is_users = |var: VarId| match procedure.variables[var].storage {
        contraflow_ir::Storage::Common { .. } => true,
        contraflow_ir::Storage::Global(global) => module.globals[global].declared_by.is_none(),
        _ => false,
    };
    procedure
        .variables
        .ids()
        .filter(|&var| is_users(var) && !request.independents.contains(&var))
        .filter(|&var| head.is_active(var) && head.is_useful_in(var) && head.is_varied_out(var))
        .map(|var| {
            let variable = &procedure.variables[var];
            let message = format!(
                "what `{}` holds when `{}` is called is taken as constant, also if an earlier call \
                 computed it",
                variable.name, procedure.name
            );
            Diagnostic::warning("kept-from-last-call", message)
                .at(variable.span, "used before it is set, and active")
                .with_help("set it before each call, or name it among the inputs")
        })
        .collect()
}

/// Gives the primal procedures back what [`separate`] changed in them: a module that holds derived
/// procedures may be differentiated again.
pub fn put_back(original: &Module, module: &mut Module) {
    for (id, procedure) in original.procedures.iter() {
        let changed = &mut module.procedures[id];
        changed.body.clone_from(&procedure.body);
        for (var, variable) in procedure.variables.iter() {
            let now = &mut changed.variables[var];
            now.storage = variable.storage;
            if now.initial.is_none() && now.values.is_empty() {
                now.initial = variable.initial;
                now.values.clone_from(&variable.values);
            }
        }
    }
}
