//! The two sweeps, written from the plan.
//!
//! *Forward*: the primal statements in their order, each saved place saved before its write, stored
//! decisions and trip counts noted. *Backward*: the mirror image; at each statement first what it
//! overwrote is put back, then its adjoint runs. A joint loop's backward iteration puts its
//! snapshot back, runs its slice forward, then goes back.

mod backward;
mod forward;
mod memory;
mod pointers;
mod slots;
mod time;

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Builder, Diagnostic, ExprId, Procedure, ProcedureId, Stmt, StmtId, Type, VarId,
};

use super::needs::{Frame, FrameNeeds, Needs, Subject};
use super::split::{Kept, SplitCallee};
use super::tape::Slot;
use crate::naming::Names;

/// A call changes what is reached through pointers, and that is needed.
pub const BEHIND_POINTERS: &str = "behind-pointers";

/// The code of what must be kept or copied though its size is not known.
pub const UNKNOWN_EXTENT: &str = "unknown-extent";

/// Everything that the sweeps are written from, and what has been written so far.
pub struct Emitter<'x, 'a> {
    /// The derived procedure.
    pub out: Procedure,
    /// The primal and its facts.
    pub subject: &'x Subject<'a>,
    /// What to save, store and run again.
    pub needs: &'x Needs,
    /// The backward statements of each primal statement.
    pub reverse: &'x BTreeMap<StmtId, Vec<StmtId>>,
    /// Text of primal statements, for comments.
    pub comments: &'x dyn Fn(StmtId) -> Option<String>,
    /// Shadows of allocated variables are allocated with them.
    pub shadows: &'x BTreeMap<VarId, VarId>,
    /// Calls that are reversed split.
    pub split: &'x BTreeMap<StmtId, SplitCall>,
    /// Statements whose reversal is done before the fused loop.
    pub ahead: Vec<StmtId>,
    /// The function that says when the next snapshot of a time loop is taken.
    pub next_snapshot: Option<ProcedureId>,
    /// The time loop that runs again without recording anything.
    advancing: Option<StmtId>,
    /// The counters of time loops.
    counters: BTreeMap<(StmtId, &'static str), VarId>,
    slots: BTreeMap<(Frame, StmtId, Kind), Slot>,
    names: Names,
    /// Primal variables that the backward sweep writes.
    pub written_backwards: BTreeSet<VarId>,
    /// What could not be done.
    pub problems: Vec<Diagnostic>,
    /// Memory that the primal frees, in order.
    pub freed: Vec<Access>,
    /// Primal variables of which a value is saved somewhere.
    pub saved: BTreeSet<VarId>,
    /// For addresses whose memory is released on some ways only: the variable that says whether it was.
    released: BTreeMap<VarId, VarId>,
    /// Tapes (arrays), with what they keep.
    pub tapes: Vec<VarId>,
}

/// A call that is reversed split, and what is kept for it.
pub struct SplitCall {
    /// The callee.
    pub callee: SplitCallee,
    /// What crosses.
    pub kept: Vec<Kept>,
}

/// Why a slot exists at a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The n-th saved place.
    Save(usize),
    /// The n-th place of a snapshot.
    Snapshot(usize),
    /// The n-th variable that is kept whole where a loop starts.
    Whole(usize),
    /// The result of an assignment.
    Result,
    /// The n-th variable of a time loop's state.
    Carried(usize),
    /// The same on disk.
    OnDisk(usize),
    /// How many steps lie between two snapshots on disk.
    Stride,
    /// At which steps snapshots were taken.
    Taken,
    /// In which slots they are.
    Slot,
    /// The number of the last one.
    Top,
    /// A branch, or a selector.
    Decision,
    /// The n-th bound of a loop.
    Bound(usize),
    /// The trips of a `While`.
    Trips,
    /// The n-th thing that crosses between the sweeps of a split callee.
    Crossing(usize),
    /// The lower bound of the n-th dimension of what is freed.
    Lower(usize),
    /// The extent of the n-th dimension of what is freed.
    Extent(usize),
    /// What a pointer pointed to.
    Association,
    /// What its shadow pointed to.
    ShadowAssociation,
    /// Whether a variable had memory before a call.
    State(VarId),
    /// The lower bound of a dimension of what a call may reshape.
    StateLower(VarId, usize),
    /// The extent of a dimension of what a call may reshape.
    StateExtent(VarId, usize),
}

impl<'x, 'a> Emitter<'x, 'a> {
    /// An emitter that has written nothing yet.
    pub fn new(
        out: Procedure,
        subject: &'x Subject<'a>,
        needs: &'x Needs,
        reverse: &'x BTreeMap<StmtId, Vec<StmtId>>,
        comments: &'x dyn Fn(StmtId) -> Option<String>,
        shadows: &'x BTreeMap<VarId, VarId>,
        split: &'x BTreeMap<StmtId, SplitCall>,
    ) -> Self {
        Self {
            out,
            subject,
            needs,
            reverse,
            comments,
            shadows,
            split,
            ahead: Vec::new(),
            next_snapshot: None,
            counters: BTreeMap::new(),
            advancing: None,
            slots: BTreeMap::new(),
            names: Names::default(),
            written_backwards: BTreeSet::new(),
            problems: Vec::new(),
            freed: Vec::new(),
            saved: BTreeSet::new(),
            released: BTreeMap::new(),
            tapes: Vec::new(),
        }
    }

    fn frame(&self, frame: Frame) -> &'x FrameNeeds {
        &self.needs.frames[&frame]
    }

    /// The forward sweep of the whole procedure.
    pub fn forward_sweep(&mut self) -> Vec<StmtId> {
        let block = self.subject.block(None);
        self.forward(block, None, None)
    }

    /// The backward sweep of the whole procedure.
    pub fn backward_sweep(&mut self) -> Vec<StmtId> {
        let block = self.subject.block(None);
        self.backward(block, None)
    }

    fn stmt(&mut self, stmt: Stmt, like: StmtId) -> StmtId {
        let span = self.out.stmts[like].span;
        let mut b = Builder::new(&mut self.out);
        b.span = span;
        b.stmt(stmt)
    }
}

/// An object must be saved whose components are not all known.
pub fn unseen_problem(name: &str, span: contraflow_ir::Span) -> Diagnostic {
    Diagnostic::error(
        "not-reversible",
        format!("the adjoint must save `{name}`, which a callee may change in components that its declared type does not have"),
    )
    .at(span, format!("`{name}` is changed here"))
    .with_help("choose the type in the caller (SELECT TYPE) and call a procedure of that type, or declare the object with TYPE")
}

/// The type of what an access names.
pub fn place_type(module: &contraflow_ir::Module, out: &Procedure, place: &Access) -> Type {
    let mut ty = out.variables[place.var].ty;
    for selector in &place.path {
        ty = match (selector, ty) {
            (contraflow_ir::Selector::Field(field), Type::Record(record)) => {
                module.records[record].fields[*field as usize].ty
            }
            (contraflow_ir::Selector::Deref, Type::Pointer(pointer)) => {
                module.pointers[pointer].target
            }
            (_, ty) => ty,
        };
    }
    ty
}

/// First value, last value and step of the loop that runs a loop's iterations backwards.
fn reversed_range(
    out: &mut Procedure,
    lower: ExprId,
    upper: ExprId,
    step: ExprId,
) -> (ExprId, ExprId, ExprId) {
    let mut b = Builder::new(out);
    let back = b.neg(step);
    if let Some(1 | -1) = b.integer_value(step) {
        return (upper, lower, back);
    }
    // lower + ((upper - lower + step) / step - 1) * step: the last value that is reached, and one
    // step before `lower` if there is none.
    let span = b.sub(upper, lower);
    let span = b.add(span, step);
    let trips = b.exact_binary(contraflow_ir::BinaryOp::Divide, span, step);
    let ty = b.type_of(lower);
    let one = b.int_of(1, ty);
    let steps = b.exact_binary(contraflow_ir::BinaryOp::Subtract, trips, one);
    let distance = b.mul(steps, step);
    let last = b.add(lower, distance);
    (last, lower, back)
}
