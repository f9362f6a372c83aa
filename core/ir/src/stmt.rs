//! Statements. Only they have effects.

use crate::arena::Id;
use crate::expr::{Access, ExprId};
use crate::module::ProcedureId;
use crate::source::Span;
use crate::types::VarId;

/// Names a statement of its procedure.
pub type StmtId = Id<StmtNode>;

/// Statements in order. A statement stands in exactly one block.
pub type Block = Vec<StmtId>;

/// A statement with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct StmtNode {
    /// What it does.
    pub stmt: Stmt,
    /// The user's text that it came from. Of a loop or a condition: its head.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// Evaluates the target's subscripts and the value, then stores one scalar (or one whole
    /// record, where the value is a `Load` of a record).
    Assign {
        /// A scalar place.
        target: Access,
        /// The value, of the target's type.
        value: ExprId,
    },
    /// Calls a procedure.
    Call {
        /// Whom.
        callee: Callee,
        /// One per formal argument, in the callee's order; `Absent` for omitted optional ones.
        arguments: Vec<Argument>,
        /// Where the function's value goes.
        result: Option<Access>,
    },
    /// `for variable = lower, upper, step`: bounds and step are evaluated once, the trip count is
    /// `max(0, (upper - lower + step) / step)`, the body does not write the variable, and after the
    /// loop the variable holds `lower + trips * step`.
    Loop {
        /// An integer scalar (a real one is made a `While` by the front end).
        variable: VarId,
        /// First value.
        lower: ExprId,
        /// Last value, inclusive.
        upper: ExprId,
        /// Distance, not zero.
        step: ExprId,
        /// Executed for each value.
        body: Block,
        /// The name that jumps use; `None` once there are none.
        label: Option<JumpLabel>,
        /// An OpenMP or similar directive on the loop.
        directive: Option<Box<Directive>>,
    },
    /// Repeats the body while the condition holds; the condition is evaluated before each pass.
    While {
        /// A logical.
        condition: ExprId,
        /// Executed while it holds.
        body: Block,
        /// The name that jumps use; `None` once there are none.
        label: Option<JumpLabel>,
    },
    /// Executes one of two blocks.
    If {
        /// A logical.
        condition: ExprId,
        /// Where it holds.
        then: Block,
        /// Where it does not.
        otherwise: Block,
    },
    /// Executes the first arm that has a label of the selector's value, else the default. No arm
    /// falls into the next (front ends repeat or nest where C does).
    Switch {
        /// An integer, logical or character.
        selector: ExprId,
        /// The arms.
        arms: Vec<CaseArm>,
        /// Where no arm fits.
        default: Block,
    },
    /// Makes memory for an allocatable or a pointer.
    Allocate {
        /// The variable or component.
        target: Access,
        /// `(lower, extent)` per dimension, fastest first. `None` as lower: the language's own.
        shape: Vec<(Option<ExprId>, ExprId)>,
        /// Whether the memory is set to zero.
        zeroed: bool,
    },
    /// Releases memory.
    Free {
        /// The variable or component.
        target: Access,
    },
    /// Lets a pointer point to `value` (plus `offset` elements), or to nothing.
    PointerAssign {
        /// The pointer.
        target: Access,
        /// What it points to: a place (its address), or another pointer (`is_pointer`).
        value: Option<Access>,
        /// Whether `value` is itself a pointer whose value is copied.
        is_pointer: bool,
        /// Elements added to the address.
        offset: Option<ExprId>,
        /// The bounds that a pointer with a descriptor gets; empty: those of what it points to (of a
        /// section: from 1).
        bounds: PointerBounds,
    },
    /// Sets every element of `target` to a scalar.
    Fill {
        /// A whole variable, an element, or a section.
        target: Access,
        /// The value.
        value: ExprId,
    },
    /// Copies all elements between two places of equal shape that do not overlap.
    Copy {
        /// To.
        target: Access,
        /// From.
        source: Access,
    },
    /// Appends a scalar to a growing tape.
    Push {
        /// The tape: a variable of role `Tape` with one `Deferred` dimension.
        tape: VarId,
        /// The value.
        value: ExprId,
    },
    /// Takes the last scalar off a growing tape.
    Pop {
        /// The tape.
        tape: VarId,
        /// Where it goes.
        target: Access,
    },
    /// A parallel region or another block directive. Executes its body.
    Region {
        /// The directive.
        directive: Box<Directive>,
        /// The body.
        body: Block,
    },
    /// A block that `Jump::Exit` can leave. Gone after `structure`.
    Labelled {
        /// The name that jumps use.
        label: JumpLabel,
        /// The body.
        body: Block,
    },
    /// Goes elsewhere. Gone after `structure`.
    Jump(Jump),
    /// Text that the front end did not take apart, quoted as it stands in its own language.
    Opaque {
        /// The text: one or more whole statements.
        text: String,
        /// Which construct it is, for reports: `write`, `goto`, `read`, `parse-error`, …
        kind: &'static str,
        /// What it may read.
        reads: Vec<Access>,
        /// What it may write.
        writes: Vec<Access>,
        /// Whether it ends the program (`STOP`, `abort`) so that nothing after it runs.
        terminates: bool,
    },
    /// Ends the program: a message of generated code, and a number after it.
    Stop {
        /// What is said.
        message: String,
        /// An integer.
        value: ExprId,
    },
    /// A comment in generated code.
    Comment(String),
}

/// Bounds stated where a pointer is associated, fastest dimension first: the lower bounds alone, and the
/// extents are those of what it points to; or each with its upper bound, and the pointer shows the first
/// elements of what it points to in another shape.
pub type PointerBounds = Vec<(ExprId, Option<ExprId>)>;

/// Who is called.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A procedure of the module.
    Procedure(ProcedureId),
    /// A procedure without source. Rules may know it by name.
    External(String),
    /// A procedure argument or procedure pointer.
    Variable(VarId),
}

/// An actual argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A value: for `Passing::Value`, or an expression whose copy is passed by reference and which
    /// the callee does not change.
    Value(ExprId),
    /// A place whose memory is passed: a scalar, a whole array, a section (a path with `Range`),
    /// or an array element from which the callee's array starts (sequence association).
    Place(Access),
    /// A procedure.
    Procedure(ProcedureId),
    /// An omitted optional argument, a null pointer.
    Absent,
    /// Quoted text of a passive argument.
    Opaque {
        /// The text.
        text: String,
        /// What it reads.
        reads: Vec<Access>,
    },
}

/// Names the target of jumps; unique in the procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JumpLabel(pub u32);

/// A jump, before `structure`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Jump {
    /// Leaves the loop or labelled block.
    Exit(JumpLabel),
    /// Goes on with the next iteration of the loop.
    Cycle(JumpLabel),
    /// Leaves the procedure.
    Return,
}

/// An arm of a `Switch`.
#[derive(Clone, PartialEq, Debug)]
pub struct CaseArm {
    /// The values that choose it.
    pub labels: Vec<CaseLabel>,
    /// What it executes.
    pub body: Block,
}

/// Values that choose an arm. Expressions are constants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CaseLabel {
    /// One value.
    Value(ExprId),
    /// A closed range; missing ends are open.
    Range(Option<ExprId>, Option<ExprId>),
}

/// A directive of the source (OpenMP, OpenACC, AD hints), read as facts.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Directive {
    /// The whole text with continuations joined, without sentinel: `parallel do private(i)`.
    pub text: String,
    /// Variables that each iteration (or thread) has for itself.
    pub private: Vec<VarId>,
    /// Private ones that start with the value from outside.
    pub first_private: Vec<VarId>,
    /// Reductions: the operator as written, and the variable.
    pub reductions: Vec<(String, VarId)>,
    /// Whether the directive says that the iterations are independent.
    pub independent: bool,
    /// The number of nested loops that the directive covers.
    pub collapse: u32,
}
