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
//! The user's own memory, COMMON and module variables, is not copied: the derivative works on it. Where
//! each call is to be a first one, what a call may find of earlier ones is set to its initial values
//! ([`memory`]).
//!
//! Both may carry derivatives from one call of the head to the next. That is the user's choice, see
//! [`Saved`]: [`carried`] refuses where it is not made.

pub(crate) mod constant;
mod copies;
mod memory;
mod separate;
mod start;

use std::collections::BTreeSet;

use contraflow_ir::{Diagnostic, Expr, GlobalId, Module, ProcedureId, Span, Storage, VarId};

pub use separate::separate;

use crate::Derivative;
use crate::analysis::memory::leads_on;
use crate::analysis::{Activity, Effects, Entry, Shared};
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
    /// Procedures that set the user's memory to its initial values, for the head to call.
    pub starts: Vec<ProcedureId>,
}

impl State {
    /// The saved variable that a variable of the state was.
    fn origin(&self, shared: Shared) -> Option<(ProcedureId, VarId)> {
        self.variables.iter().find_map(|&(global, owner, var)| {
            (shared == Shared::Global(global)).then_some((owner, var))
        })
    }

    /// Gives the derived procedures copies of the primal procedures that they call and that touch the
    /// state. The list of derived procedures grows by them, callees before callers.
    pub fn copy_callees(&self, derivative: &mut Derivative, request: &Request) {
        copies::copy_callees(self, derivative, request);
    }
}

/// Refuses memory whose value from an earlier call of the head would carry derivatives, unless the
/// user says what is meant: state of the derived procedures, and the user's own memory.
pub fn carried(
    module: &Module,
    state: &State,
    (effects, entry): (&Effects, &Entry),
    activity: &Activity,
    request: &Request,
) -> Vec<Diagnostic> {
    let head = &activity[activity.head()];
    let named = module.procedures[request.head].variables.ids();
    let of_head = named
        .filter(|var| !request.independents.contains(var))
        .filter(|&var| head.is_active(var) && head.is_useful_in(var) && head.is_varied_out(var))
        .filter_map(|var| effects.shared(request.head, var));
    let mut problems: Vec<Diagnostic> = Vec::new();
    for shared in of_head.chain(activity.hidden_carriers().iter().copied()) {
        if is_meant(module, state, request, shared) || entry.kept(request.head, shared).is_empty() {
            continue;
        }
        let problem = refusal(module, state, request, shared);
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    problems
}

/// Refuses active memory whose declaration lets pointers point somewhere: nothing lets their shadows point
/// to the shadow of that, unless the head of the derivative does, as it does for the user's own memory in
/// C ([`crate::pointing`]).
pub fn pointing_at_start(
    module: &Module,
    activity: &Activity,
    head: ProcedureId,
) -> Vec<Diagnostic> {
    let is_c = module.procedures[head].scalars_by_value;
    let procedures = || module.procedures.iter().map(|(_, procedure)| procedure);
    let points = |global: GlobalId| {
        procedures().any(|procedure| {
            let named = procedure.variables.iter().map(|(_, variable)| variable);
            let of_global = named.filter(|it| it.storage == Storage::Global(global));
            let mut initial = of_global.filter_map(|it| it.initial);
            initial.any(|value| matches!(procedure.expr(value), Expr::Opaque { .. }))
        })
    };
    let active = activity.active_globals().iter();
    let globals = active.filter_map(|&shared| match shared {
        Shared::Global(global) => Some(global),
        Shared::Common { .. } | Shared::Saved(..) => None,
    });
    let found = globals.filter(|&global| {
        let (ty, declared_by) = (
            module.globals[global].ty,
            module.globals[global].declared_by,
        );
        leads_on(module, ty, 0) && points(global) && !(is_c && declared_by.is_none())
    });
    found
        .map(|global| {
            let global = &module.globals[global];
            let message = format!(
                "the derivative passes through `{}`, whose declaration lets it point to memory",
                global.name
            );
            Diagnostic::error("saved-state", message)
                .at(global.span, "declared here")
                .with_help(
                    "use what it points to by its own name, or pass the pointer as an argument",
                )
        })
        .collect()
}

/// Whether the user says that what the memory holds at entry is constant.
fn is_meant(module: &Module, state: &State, request: &Request, shared: Shared) -> bool {
    let meant = match (memory::is_users(module, shared), state.origin(shared)) {
        (true, None) => request.memory,
        _ => request.saved,
    };
    let is_named = match state.origin(shared) {
        Some((owner, var)) => memory::is_kept(module, request, Shared::Saved(owner, var)),
        None => memory::is_kept(module, request, shared),
    };
    meant == Saved::Kept || is_named
}

fn refusal(module: &Module, state: &State, request: &Request, shared: Shared) -> Diagnostic {
    let head = &module.procedures[request.head].name;
    let of_variable = |(owner, var): (ProcedureId, VarId)| {
        let owner = &module.procedures[owner];
        let variable = &owner.variables[var];
        (variable.name.clone(), variable.span, owner.name.clone())
    };
    let (name, span, owner) = match (state.origin(shared), shared) {
        (Some(origin), _) => of_variable(origin),
        (None, Shared::Saved(owner, var)) => of_variable((owner, var)),
        (None, Shared::Global(global)) => {
            let global = &module.globals[global];
            (global.name.clone(), global.span, head.clone())
        }
        (None, Shared::Common { block, start, end }) => {
            let of_block = |variable: &&contraflow_ir::Variable| {
                matches!(variable.storage, contraflow_ir::Storage::Common { block: of, offset }
                    if of == block && i64::try_from(offset).is_ok_and(|at| at >= start && at < end))
                    && !variable.imported
            };
            let mut all = module
                .procedures
                .iter()
                .flat_map(|(_, procedure)| procedure.variables.iter())
                .map(|(_, variable)| variable);
            match all.find(of_block) {
                Some(member) => (member.name.clone(), member.span, head.clone()),
                None => (module.commons[block].name.clone(), Span::NONE, head.clone()),
            }
        }
    };
    let message = format!(
        "`{name}` keeps its value from one call of `{owner}` to the next, and with it a derivative"
    );
    let fresh =
        format!("say `--saved fresh` for the derivative of `{head}` called for the first time");
    let help = match request.saved {
        Saved::Fresh => format!(
            "it cannot be set to what it is at the first call: set it before each call and say `--kept {name}`"
        ),
        _ => format!(
            "{fresh}, or `--saved kept` (`--kept {name}` for this variable alone) to take what earlier calls left as constant"
        ),
    };
    Diagnostic::error("saved-active", message)
        .at(span, "kept, and used before it is set")
        .with_help(help)
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
