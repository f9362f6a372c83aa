//! What the user asks for.

use contraflow_ir::{ProcedureId, VarId};

use crate::adjoint::time::hints::Hint;
use crate::callbacks::Bindings;
use crate::checkpoint::Planning;
use crate::checkpoint::words::ValueHint;

/// Which derivative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Forward mode: `y_d = J x_d`.
    Tangent,
    /// Reverse mode: `x_b = x_b + Jᵀ y_b`.
    Adjoint,
}

/// A head procedure with its independent and dependent variables.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The head.
    pub head: ProcedureId,
    /// Variables of the head to differentiate with respect to: arguments, or globals that it (or a
    /// callee) uses and that stand in its variables.
    pub independents: Vec<VarId>,
    /// Variables of the head that are differentiated; the function's value is its result variable.
    pub dependents: Vec<VarId>,
    /// The procedures that stand for procedure arguments of the head.
    pub bindings: Bindings,
    /// Which derivative.
    pub mode: Mode,
    /// The suffix of derived procedures and shadows: `_b`, `_d`, or the user's.
    pub suffix: String,
    /// The planner.
    pub planner: Planner,
    /// Sizes, limits and weights for it.
    pub planning: Planning,
    /// How loops are to be reversed, where the user says so.
    pub checkpoints: Vec<Hint>,
    /// What shall be done with single values, where the user says so.
    pub values: Vec<ValueHint>,
    /// What saved variables hold when the head is called.
    pub saved: Saved,
    /// What COMMON blocks and module variables hold when the head is called.
    pub memory: Saved,
    /// The COMMON blocks and variables that are taken as they are, whatever `memory` says.
    pub kept: Vec<String>,
    /// Whether the head itself is wanted as well on the state of its derivatives, if it has any.
    pub copy_head: bool,
}

/// What the saved variables of the derived procedures hold when the head's derivative is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Saved {
    /// What earlier calls left; refused where that would carry derivatives.
    #[default]
    Unspecified,
    /// Their initial values: each call is the first.
    Fresh,
    /// What earlier calls left, as constants.
    Kept,
}

/// Who plans storing against recomputing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Planner {
    /// The integer program.
    Optimal,
    /// The greedy plan.
    Greedy,
    /// All plans are weighed, where there are few enough: what the others are measured against.
    Exhaustive,
    /// Any plan that is allowed, drawn with this seed: all must give the same derivative.
    Random(u64),
}
