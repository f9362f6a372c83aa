//! The two sweeps, written from the plan.
//!
//! *Forward*: the primal statements in their order, each saved place saved before its write, stored
//! decisions and trip counts noted. *Backward*: the mirror image; at each statement first what it
//! overwrote is put back, then its adjoint runs. A joint loop's backward iteration puts its
//! snapshot back, runs its slice forward, then goes back.

mod memory;
mod pointers;
mod time;

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Argument, Builder, Callee, CaseArm, Diagnostic, Expr, ExprId, Procedure, ProcedureId,
    Stmt, StmtId, Type, VarId,
};

use super::distribute::distribute;
use super::extent::{Extents, Range};
use super::memory::is_deferred;
use super::needs::{Frame, FrameNeeds, Needs, Subject};
use super::split::{Kept, SplitCallee};
use super::tape::{self, Purpose, Slot};
use crate::allocation::holds_pointers;
use crate::analysis::pointers::Pointers;

/// A call changes what is reached through pointers, and that is needed.
pub const BEHIND_POINTERS: &str = "behind-pointers";

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
    /// Primal variables that the backward sweep writes.
    pub written_backwards: BTreeSet<VarId>,
    /// What could not be done.
    pub problems: Vec<Diagnostic>,
    /// Memory that the primal frees, in order.
    pub freed: Vec<Access>,
    /// Primal variables of which a value is saved somewhere.
    pub saved: BTreeSet<VarId>,
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
            written_backwards: BTreeSet::new(),
            problems: Vec::new(),
            freed: Vec::new(),
            saved: BTreeSet::new(),
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

    // ---- forward ----

    /// Runs `block` forward for `frame`; `inside` is the joint loop of the frame that the block
    /// lies in, where nothing is saved.
    fn forward(&mut self, block: &[StmtId], frame: Frame, inside: Frame) -> Vec<StmtId> {
        let mut done = Vec::new();
        for &stmt in block {
            self.forward_stmt(stmt, frame, inside, &mut done);
        }
        done
    }

    fn forward_stmt(&mut self, stmt: StmtId, frame: Frame, inside: Frame, done: &mut Vec<StmtId>) {
        if let Some(fused) = self.subject.fused
            && frame.is_none()
            && self.subject.tree.owner(stmt).is_none()
            && self.subject.tree.contains(stmt, fused)
        {
            for tail in self.ahead.clone() {
                self.push_reverse(tail, done);
            }
        }
        let needs = self.frame(frame);
        let runs = match self.advancing {
            Some(l) => self.needs.carried[&l].advance.contains(&stmt),
            None => frame.is_none() || needs.slice.contains(&stmt),
        };
        let records = inside.is_none();
        if records {
            self.save_decisions(stmt, frame, done);
        }
        if records && (runs || self.subject.is_rerun_call(stmt, frame)) {
            for (n, place) in needs.saves.get(&stmt).into_iter().flatten().enumerate() {
                if let Some(slot) = self.slot(frame, stmt, Kind::Save(n), place) {
                    let ty = self.type_of(place);
                    let save = slot.save(&mut self.out, place, ty);
                    let save = self.if_allocated(stmt, place, save);
                    done.push(save);
                }
            }
            self.keep_states(stmt, frame, done);
        }
        if !runs {
            return;
        }
        if frame.is_some() && frame != self.subject.fused {
            let writes = self.subject.effects[stmt].writes.clone();
            self.written_backwards.extend(writes.iter().map(|w| w.var));
        }
        let primal = self.subject.module.procedures[self.subject.id]
            .stmt(stmt)
            .clone();
        if records && self.is_time_loop(stmt, frame) {
            self.forward_in_time(stmt, frame, done);
            return;
        }
        if records
            && self.subject.is_read_back(stmt, frame)
            && let Stmt::Assign { target, .. } = &primal
        {
            self.read_back(stmt, frame, target, done);
            return;
        }
        match primal {
            Stmt::Loop { .. } => self.forward_loop(stmt, primal, frame, inside, done),
            Stmt::While {
                condition, body, ..
            } => {
                let counted = records && self.needs.reversed.contains(&stmt);
                let mut inner = self.forward(&body, frame, inside);
                let slot = counted
                    .then(|| self.scalar_slot(frame, stmt, Kind::Trips, Type::INT))
                    .flatten();
                let Some(slot) = slot else {
                    let copy = Stmt::While {
                        condition,
                        body: inner,
                        label: None,
                    };
                    done.push(self.stmt(copy, stmt));
                    return;
                };
                let counter = self.counter(stmt);
                let mut b = Builder::new(&mut self.out);
                let zero = b.int(0);
                let one = b.int(1);
                done.push(b.assign(Access::whole(counter), zero));
                let count = b.increment(Access::whole(counter), one);
                inner.insert(0, count);
                let copy = Stmt::While {
                    condition,
                    body: inner,
                    label: None,
                };
                done.push(self.stmt(copy, stmt));
                let count = Builder::new(&mut self.out).load(counter);
                done.push(slot.keep(&mut self.out, count));
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.decision(stmt, frame, inside, condition);
                let then = self.forward(&then, frame, inside);
                let otherwise = self.forward(&otherwise, frame, inside);
                if !then.is_empty() || !otherwise.is_empty() || frame.is_none() {
                    let copy = Stmt::If {
                        condition,
                        then,
                        otherwise,
                    };
                    done.push(self.stmt(copy, stmt));
                }
            }
            Stmt::Switch {
                selector,
                arms,
                default,
            } => {
                let selector = self.decision(stmt, frame, inside, selector);
                let arms = arms
                    .into_iter()
                    .map(|arm| CaseArm {
                        body: self.forward(&arm.body, frame, inside),
                        labels: arm.labels,
                    })
                    .collect();
                let default = self.forward(&default, frame, inside);
                let copy = Stmt::Switch {
                    selector,
                    arms,
                    default,
                };
                done.push(self.stmt(copy, stmt));
            }
            Stmt::Region { body, .. } => {
                let inner = self.forward(&body, frame, inside);
                done.extend(inner);
            }
            _ if self.subject.memory.is_association(stmt) => {
                self.associate(stmt, &primal, frame, done);
            }
            Stmt::Allocate { ref target, .. } => {
                let shadow = self.shadows.get(&target.var).copied();
                done.push(self.stmt(primal.clone(), stmt));
                let is_mirrored = self.subject.memory.is_mirrored(target.var)
                    || self.subject.memory.is_record(target.var);
                if let (Some(shadow), None, false) = (shadow, frame, is_mirrored) {
                    self.allocate_shadow(&primal, shadow, stmt, done);
                }
            }
            Stmt::Free { ref target } if self.subject.memory.is_mirrored(target.var) => {
                self.keep_shape(stmt, frame, target.var, done);
                done.push(self.stmt(primal.clone(), stmt));
            }
            Stmt::Free { ref target } if self.subject.memory.is_record(target.var) => {
                done.push(self.stmt(primal.clone(), stmt));
            }
            // What is freed may be needed backwards: it is freed at the end.
            Stmt::Free { target } => {
                if frame.is_none() {
                    self.freed.push(target);
                }
            }
            Stmt::Call {
                ref arguments,
                ref result,
                ..
            } if records
                && self.subject.frame_of(stmt) == frame
                && self.split.contains_key(&stmt) =>
            {
                let places = self.crossing_places(stmt, frame);
                let result = result.clone().or_else(|| self.ignored_value(stmt));
                let split = &self.split[&stmt];
                let call = split
                    .callee
                    .forward_call(arguments, result.as_ref(), &places);
                done.push(self.stmt(call, stmt));
            }
            other => {
                done.push(self.stmt(other.clone(), stmt));
                if let Stmt::Assign { target, .. } = &other
                    && inside.is_some()
                    && self.subject.is_read_back(stmt, inside)
                    && self.frame(inside).slice.contains(&stmt)
                    && let Some(slot) = self.slot(frame, stmt, Kind::Result, target)
                {
                    let ty = self.type_of(target);
                    done.push(slot.save(&mut self.out, target, ty));
                }
            }
        }
    }

    /// Puts the taped result of an assignment in its place, where the frame around tapes it.
    fn read_back(&mut self, stmt: StmtId, frame: Frame, target: &Access, done: &mut Vec<StmtId>) {
        let around = frame.and_then(|l| self.subject.frame_of(l));
        if let Some(slot) = self.slot(around, stmt, Kind::Result, target) {
            let ty = self.type_of(target);
            done.push(slot.restore(&mut self.out, target, ty));
        }
    }

    /// Where the value of a function goes that the source calls as a subroutine.
    fn ignored_value(&mut self, stmt: StmtId) -> Option<Access> {
        let Stmt::Call {
            callee: contraflow_ir::Callee::Procedure(callee),
            ..
        } = *self.out.stmt(stmt)
        else {
            return None;
        };
        let primal = &self.subject.module.procedures[callee];
        let ty = primal.variables[primal.result()?].ty;
        Some(Access::whole(self.temporary("ignored", ty)))
    }

    /// Where the things that cross between the sweeps of a split callee are kept.
    fn crossing_places(&mut self, stmt: StmtId, frame: Frame) -> Vec<Access> {
        let split = self.split;
        let mut places = Vec::new();
        for (n, kept) in split[&stmt].kept.iter().enumerate() {
            if let Some(slot) = self.slot_for(frame, stmt, Kind::Crossing(n), kept.purpose()) {
                places.push(slot.start(&self.out));
            }
        }
        places
    }

    /// Hands the places to the backward sweep of the callee.
    fn pass_crossing(&mut self, stmt: StmtId, frame: Frame) {
        let places = self.crossing_places(stmt, frame);
        let backward = self.split[&stmt].callee.backward;
        for &id in &self.reverse[&stmt] {
            if let Stmt::Call {
                callee, arguments, ..
            } = &mut self.out.stmts[id].stmt
                && *callee == Callee::Procedure(backward)
            {
                arguments.extend(places.iter().cloned().map(Argument::Place));
            }
        }
    }

    fn forward_loop(
        &mut self,
        stmt: StmtId,
        primal: Stmt,
        frame: Frame,
        inside: Frame,
        done: &mut Vec<StmtId>,
    ) {
        let Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body,
            ..
        } = primal
        else {
            return;
        };
        let is_child = inside.is_none() && self.subject.decisions.is_frame(stmt);
        let mut inner = Vec::new();
        if self.subject.fused == Some(stmt) {
            inner = self.forward(&body, Some(stmt), None);
            inner.extend(self.backward(&body, Some(stmt)));
            let copy = Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body: inner,
                label: None,
                directive: None,
            };
            done.push(self.stmt(copy, stmt));
            return;
        }
        if is_child {
            for (slot, place) in self.snapshot(frame, stmt) {
                let ty = self.type_of(&place);
                let save = slot.save(&mut self.out, &place, ty);
                let save = self.if_allocated(stmt, &place, save);
                inner.push(save);
            }
        }
        let within = if is_child { Some(stmt) } else { inside };
        inner.extend(self.forward(&body, frame, within));
        let copy = Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body: inner,
            label: None,
            directive: None,
        };
        done.push(self.stmt(copy, stmt));
    }

    /// Notes what the backward sweep cannot evaluate again.
    fn save_decisions(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        let needs = self.frame(frame);
        let own = self.subject.frame_of(stmt) == frame;
        if !own || !needs.stored.contains(&stmt) || !self.needs.reversed.contains(&stmt) {
            return;
        }
        let primal = self.subject.module.procedures[self.subject.id].stmt(stmt);
        match *primal {
            Stmt::If { condition: e, .. } | Stmt::Switch { selector: e, .. } => {
                self.keep_value(frame, stmt, Kind::Decision, e, done)
            }
            Stmt::Loop {
                lower, upper, step, ..
            } => {
                for (n, e) in [lower, upper, step].into_iter().enumerate() {
                    if !self.is_literal(e) {
                        self.keep_value(frame, stmt, Kind::Bound(n), e, done);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_literal(&self, e: ExprId) -> bool {
        self.out.reads_of_expr(e).is_empty()
    }

    fn keep_value(
        &mut self,
        frame: Frame,
        stmt: StmtId,
        kind: Kind,
        e: ExprId,
        done: &mut Vec<StmtId>,
    ) {
        let ty = self.out.exprs[e].ty;
        if let Some(slot) = self.scalar_slot(frame, stmt, kind, ty) {
            done.push(slot.keep(&mut self.out, e));
        }
    }

    /// In the forward sweep a stored decision is read back, so that both sweeps take one branch.
    fn decision(&mut self, stmt: StmtId, frame: Frame, inside: Frame, e: ExprId) -> ExprId {
        let stored = inside.is_none() && self.slots.contains_key(&(frame, stmt, Kind::Decision));
        match self.slots.get(&(frame, stmt, Kind::Decision)) {
            Some(Slot::Fixed { place, .. }) if stored => {
                let place = place.clone();
                let ty = self.out.exprs[e].ty;
                Builder::new(&mut self.out).expr(Expr::Load(place), ty)
            }
            _ => e,
        }
    }

    // ---- backward ----

    fn backward(&mut self, block: &[StmtId], frame: Frame) -> Vec<StmtId> {
        let mut done = Vec::new();
        for &stmt in block.iter().rev() {
            let is_done = self.subject.fused.is_some_and(|fused| {
                frame.is_none()
                    && (self.subject.tree.contains(stmt, fused) || self.ahead.contains(&stmt))
            });
            if self.needs.reversed.contains(&stmt) && !is_done {
                self.backward_stmt(stmt, frame, &mut done);
            }
        }
        done
    }

    fn backward_stmt(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        let primal = self.subject.module.procedures[self.subject.id]
            .stmt(stmt)
            .clone();
        match primal {
            Stmt::Loop { variable, .. } => {
                match self.is_time_loop(stmt, frame) {
                    true => self.backward_in_time(stmt, frame, done),
                    false => self.backward_loop(stmt, primal, frame, done),
                }
                self.written_backwards.insert(variable);
                self.restore(stmt, frame, done);
            }
            Stmt::While { .. } if self.is_time_loop(stmt, frame) => {
                self.backward_in_time(stmt, frame, done);
                self.restore(stmt, frame, done);
            }
            Stmt::While { body, .. } => {
                let inner = self.backward(&body, frame);
                let counter = self.counter(stmt);
                if !inner.is_empty() {
                    self.backward_counted(stmt, counter, inner, frame, done);
                }
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let mut decided = Vec::new();
                let condition = self.recall(stmt, frame, Kind::Decision, condition, &mut decided);
                let then = self.backward(&then, frame);
                let otherwise = self.backward(&otherwise, frame);
                done.extend(decided);
                self.push_if(stmt, condition, then, otherwise, done);
            }
            Stmt::Switch {
                selector,
                arms,
                default,
            } => {
                let selector = self.recall(stmt, frame, Kind::Decision, selector, done);
                let arms = arms
                    .into_iter()
                    .map(|arm| CaseArm {
                        body: self.backward(&arm.body, frame),
                        labels: arm.labels,
                    })
                    .collect();
                let default = self.backward(&default, frame);
                let copy = Stmt::Switch {
                    selector,
                    arms,
                    default,
                };
                done.push(self.stmt(copy, stmt));
            }
            Stmt::Region { body, .. } => {
                let inner = self.backward(&body, frame);
                done.extend(inner);
            }
            _ if self.subject.memory.is_association(stmt) => {
                self.associate_again(stmt, &primal, frame, done);
            }
            Stmt::Allocate { target, .. } if self.subject.memory.is_mirrored(target.var) => {
                self.push_comment_of_memory(stmt, done);
                self.release_again(stmt, target.var, done);
            }
            Stmt::Free { target } if self.subject.memory.is_mirrored(target.var) => {
                self.push_comment_of_memory(stmt, done);
                self.allocate_again(stmt, frame, target.var, done);
            }
            _ => {
                let is_split = self.split.contains_key(&stmt);
                if is_split {
                    // The backward sweep of the callee starts from what its forward sweep left.
                    self.pass_crossing(stmt, frame);
                } else {
                    self.capture_result(stmt, frame, done);
                    self.restore_states(stmt, frame, done);
                    self.restore(stmt, frame, done);
                }
                self.push_comment(stmt, done);
                // What follows the call in its reversal uses values from before the call.
                let (through_call, rest) = self.around_call(stmt);
                let start = done.len();
                done.extend(through_call);
                if is_split {
                    self.written_backwards.extend(self.written_again(stmt));
                    self.restore(stmt, frame, done);
                } else if matches!(primal, Stmt::Call { .. }) {
                    self.restore_after_call(stmt, frame, start, done);
                    self.conform_shadows(stmt, done);
                }
                done.extend(rest);
                self.conform_records(stmt, done);
            }
        }
    }

    fn push_reverse(&mut self, stmt: StmtId, done: &mut Vec<StmtId>) {
        self.push_comment(stmt, done);
        done.extend(self.reverse.get(&stmt).into_iter().flatten());
    }

    fn push_comment(&mut self, stmt: StmtId, done: &mut Vec<StmtId>) {
        let is_empty = self.reverse.get(&stmt).is_none_or(Vec::is_empty);
        if !is_empty && let Some(text) = (self.comments)(stmt) {
            done.push(Builder::new(&mut self.out).stmt(Stmt::Comment(text)));
        }
    }

    /// The backward statements of a statement up to its call, and those after it.
    fn around_call(&self, stmt: StmtId) -> (Vec<StmtId>, Vec<StmtId>) {
        let mut through = self.reverse.get(&stmt).cloned().unwrap_or_default();
        let call = through
            .iter()
            .rposition(|&s| matches!(self.out.stmt(s), Stmt::Call { .. }));
        let rest = match call {
            Some(call) => through.split_off(call + 1),
            None => Vec::new(),
        };
        (through, rest)
    }

    fn push_if(
        &mut self,
        stmt: StmtId,
        condition: ExprId,
        then: Vec<StmtId>,
        otherwise: Vec<StmtId>,
        done: &mut Vec<StmtId>,
    ) {
        if then.is_empty() && otherwise.is_empty() {
            return;
        }
        let (condition, then, otherwise) = if then.is_empty() {
            let negated = Builder::new(&mut self.out).not(condition);
            (negated, otherwise, then)
        } else {
            (condition, then, otherwise)
        };
        let copy = Stmt::If {
            condition,
            then,
            otherwise,
        };
        done.push(self.stmt(copy, stmt));
    }

    fn backward_loop(&mut self, stmt: StmtId, primal: Stmt, frame: Frame, done: &mut Vec<StmtId>) {
        let Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body,
            ..
        } = primal
        else {
            return;
        };
        let mut bounds = Vec::new();
        let lower = self.recall(stmt, frame, Kind::Bound(0), lower, &mut bounds);
        let upper = self.recall(stmt, frame, Kind::Bound(1), upper, &mut bounds);
        let step = self.recall(stmt, frame, Kind::Bound(2), step, &mut bounds);
        let inner = if self.subject.decisions.is_frame(stmt) {
            self.joint_iteration(stmt, &body, frame)
        } else {
            self.backward(&body, frame)
        };
        if inner.is_empty() {
            return;
        }
        done.extend(bounds);
        let is_inner = !self.subject.tree.owners(stmt).is_empty();
        let dependence = self.subject.dependence;
        if let Some(bodies) = is_inner
            .then(|| distribute(&mut self.out, dependence, &inner, &[lower, upper, step]))
            .flatten()
        {
            for body in bodies {
                let copy = Stmt::Loop {
                    variable,
                    lower,
                    upper,
                    step,
                    body,
                    label: None,
                    directive: None,
                };
                done.push(self.stmt(copy, stmt));
            }
            return;
        }
        let (first, last, step) = reversed_range(&mut self.out, lower, upper, step);
        let copy = Stmt::Loop {
            variable,
            lower: first,
            upper: last,
            step,
            body: inner,
            label: None,
            directive: None,
        };
        done.push(self.stmt(copy, stmt));
    }

    fn joint_iteration(&mut self, stmt: StmtId, body: &[StmtId], frame: Frame) -> Vec<StmtId> {
        let own: Frame = Some(stmt);
        let snapshot = self.snapshot(frame, stmt);
        let mut inner = Vec::new();
        self.put_back(stmt, &snapshot, &mut inner);
        let position = inner.len();
        inner.extend(self.forward(body, own, None));
        let rerun_writes: BTreeSet<VarId> = self
            .subject
            .run_backwards(own, self.needs)
            .iter()
            .flat_map(|&s| self.subject.effects[s].writes.iter().map(|w| w.var))
            .collect();
        let spoilt: Vec<(Slot, Access)> = snapshot
            .into_iter()
            .filter(|(_, place)| rerun_writes.contains(&place.var))
            .map(|(slot, place)| {
                (
                    self.kept_over_rerun(stmt, slot, &place, position, &mut inner),
                    place,
                )
            })
            .collect();
        inner.extend(self.backward(body, own));
        self.put_back(stmt, &spoilt, &mut inner);
        inner
    }

    /// A slot that can be read a second time: what was popped off a growing tape is copied, by a
    /// statement at `position`.
    fn kept_over_rerun(
        &mut self,
        stmt: StmtId,
        slot: Slot,
        place: &Access,
        position: usize,
        inner: &mut Vec<StmtId>,
    ) -> Slot {
        let Slot::Growing { shape, .. } = &slot else {
            return slot;
        };
        let ty = self.type_of(place);
        let copy = self.copy_slot(shape.clone(), place);
        let save = copy.save(&mut self.out, place, ty);
        let save = self.if_allocated(stmt, place, save);
        inner.insert(position, save);
        copy
    }

    /// A place of its own for one value.
    fn copy_slot(&mut self, shape: Vec<Range>, place: &Access) -> Slot {
        let ty = self.type_of(place);
        let (_, length) = tape::declared_like(&mut self.out, place, ty);
        let is_known_at_entry = self.is_shape_known(place);
        let purpose = Purpose {
            name: "kept",
            ty,
            spelling: None,
            length,
            shape,
            is_known_at_entry,
        };
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        tape::slot(&mut self.out, &extents, &[], &[], &purpose)
    }

    fn put_back(&mut self, stmt: StmtId, snapshot: &[(Slot, Access)], done: &mut Vec<StmtId>) {
        for (slot, place) in snapshot.iter().rev() {
            let ty = self.type_of(place);
            self.written_backwards.insert(place.var);
            let restore = slot.restore(&mut self.out, place, ty);
            let restore = self.if_allocated(stmt, place, restore);
            done.push(restore);
        }
    }

    /// `do trip = trips, 1, -1` around the reversed body of a `While`.
    fn backward_counted(
        &mut self,
        stmt: StmtId,
        counter: VarId,
        inner: Vec<StmtId>,
        frame: Frame,
        done: &mut Vec<StmtId>,
    ) {
        let Some(slot) = self.scalar_slot(frame, stmt, Kind::Trips, Type::INT) else {
            return;
        };
        done.push(slot.restore(&mut self.out, &Access::whole(counter), Type::INT));
        let trip = self.trip_variable(stmt);
        let mut b = Builder::new(&mut self.out);
        let trips = b.load(counter);
        let one = b.int(1);
        let minus_one = b.int(-1);
        let copy = b.counted_loop(trip, trips, one, minus_one, inner);
        done.push(copy);
    }

    fn restore(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        let needs = self.frame(frame);
        let places = needs.saves.get(&stmt).cloned().unwrap_or_default();
        for n in self.restore_order(&places) {
            let place = &places[n];
            if let Some(slot) = self.slot(frame, stmt, Kind::Save(n), place) {
                let ty = self.type_of(place);
                self.written_backwards.insert(place.var);
                let restore = slot.restore(&mut self.out, place, ty);
                let restore = self.if_allocated(stmt, place, restore);
                done.push(restore);
            }
        }
    }

    /// The order in which places saved at one statement are put back: what the subscripts of others
    /// read comes first.
    fn restore_order(&self, places: &[Access]) -> Vec<usize> {
        let reads = |n: usize, m: usize| {
            places[n]
                .expressions()
                .flat_map(|e| self.out.reads_of_expr(e))
                .any(|read| read.var == places[m].var)
        };
        let mut order: Vec<usize> = Vec::new();
        while order.len() < places.len() {
            let left: Vec<usize> = (0..places.len()).filter(|n| !order.contains(n)).collect();
            let next = left
                .iter()
                .copied()
                .find(|&n| left.iter().all(|&m| m == n || !reads(n, m)));
            order.push(next.unwrap_or(left[0]));
        }
        order
    }

    /// A reversed call runs the callee forward again, which writes its outputs; what was there
    /// before the call is put back once more.
    fn restore_after_call(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        call: usize,
        done: &mut Vec<StmtId>,
    ) {
        if self.reverse.get(&stmt).is_none_or(Vec::is_empty) {
            return;
        }
        let again = self.written_again(stmt);
        if again.is_empty() {
            return;
        }
        self.written_backwards.extend(again);
        let needs = self.frame(frame);
        let places = needs.saves.get(&stmt).cloned().unwrap_or_default();
        for n in self.restore_order(&places) {
            let place = &places[n];
            match self.slot(frame, stmt, Kind::Save(n), place) {
                Some(slot @ Slot::Fixed { .. }) => {
                    let ty = self.type_of(place);
                    let restore = slot.restore(&mut self.out, place, ty);
                    let restore = self.if_allocated(stmt, place, restore);
                    done.push(restore);
                }
                Some(Slot::Growing { shape, .. }) => {
                    // Popped once already: keep a copy over the call.
                    let ty = self.type_of(place);
                    let copy = self.copy_slot(shape, place);
                    let before = copy.save(&mut self.out, place, ty);
                    let before = self.if_allocated(stmt, place, before);
                    let after = copy.restore(&mut self.out, place, ty);
                    let after = self.if_allocated(stmt, place, after);
                    done.insert(call, before);
                    done.push(after);
                }
                None => {}
            }
        }
    }

    /// What the reversal of a call writes of the primal.
    fn written_again(&self, stmt: StmtId) -> Vec<VarId> {
        let writes = &self.subject.effects[stmt].writes;
        let primal = &self.subject.module.procedures[self.subject.id];
        let (Some(split), Stmt::Call { arguments, .. }) =
            (self.split.get(&stmt), primal.stmt(stmt))
        else {
            return writes.iter().map(|write| write.var).collect();
        };
        let by_callee = &split.callee.split.writes_back;
        arguments
            .iter()
            .zip(by_callee)
            .filter_map(|(argument, &writes)| match argument {
                Argument::Place(place) if writes => Some(place.var),
                _ => None,
            })
            .collect()
    }

    /// Where the adjoint uses the statement's result and the backward sweep is about to put an
    /// older value in its place, the result is copied first.
    fn capture_result(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        if !self.frame(frame).saves.contains_key(&stmt) {
            return;
        }
        let Some(reverse) = self.reverse.get(&stmt) else {
            return;
        };
        let mut roots = Vec::new();
        self.out.walk_block(reverse, &mut |s| {
            roots.extend(self.out.stmt(s).expressions())
        });
        let mut results = Vec::new();
        for root in roots {
            self.out.walk_expr(root, &mut |e| {
                if matches!(self.out.expr(e), Expr::Required { after: true, .. }) {
                    results.push(e);
                }
            });
        }
        let Some(&first) = results.first() else {
            return;
        };
        let node = self.out.exprs[first].clone();
        let Expr::Required { access, .. } = node.expr else {
            return;
        };
        let copy = self.temporary("result", node.ty);
        let mut b = Builder::new(&mut self.out);
        let value = b.expr(Expr::Load(access), node.ty);
        done.push(b.assign(Access::whole(copy), value));
        for e in results {
            self.out.exprs[e].expr = Expr::Load(Access::whole(copy));
        }
    }

    /// The value of a decision or bound in the backward sweep.
    fn recall(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        kind: Kind,
        e: ExprId,
        before: &mut Vec<StmtId>,
    ) -> ExprId {
        let ty = self.out.exprs[e].ty;
        match self.slots.get(&(frame, stmt, kind)).cloned() {
            None => e,
            Some(Slot::Fixed { place, .. }) => {
                Builder::new(&mut self.out).expr(Expr::Load(place), ty)
            }
            Some(slot @ Slot::Growing { .. }) => {
                let copy = self.temporary("recalled", ty);
                before.push(slot.restore(&mut self.out, &Access::whole(copy), ty));
                Builder::new(&mut self.out).load(copy)
            }
        }
    }

    // ---- slots ----

    fn snapshot(&mut self, frame: Frame, stmt: StmtId) -> Vec<(Slot, Access)> {
        let places = self.frame(frame).snapshots.get(&stmt).cloned();
        let mut slots = Vec::new();
        for (n, place) in places.into_iter().flatten().enumerate() {
            if let Some(slot) = self.slot(frame, stmt, Kind::Snapshot(n), &place) {
                slots.push((slot, place));
            }
        }
        slots
    }

    fn type_of(&self, place: &Access) -> Type {
        place_type(self.subject.module, &self.out, place)
    }

    fn temporary(&mut self, name: &str, ty: Type) -> VarId {
        let name = crate::naming::unique(&self.out, name);
        let mut variable = contraflow_ir::Variable::scalar(name, ty);
        variable.role = contraflow_ir::Role::Temporary;
        self.out.variables.add(variable)
    }

    fn counter(&mut self, stmt: StmtId) -> VarId {
        self.named_integer(stmt, "trips")
    }

    fn trip_variable(&mut self, stmt: StmtId) -> VarId {
        self.named_integer(stmt, "trip")
    }

    fn named_integer(&mut self, stmt: StmtId, base: &str) -> VarId {
        let name = format!("{base}_{}", stmt.index());
        match self.out.variable_named(&name) {
            Some(var) => var,
            None => self.temporary(&name, Type::INT),
        }
    }

    fn scalar_slot(&mut self, frame: Frame, stmt: StmtId, kind: Kind, ty: Type) -> Option<Slot> {
        let name = match kind {
            Kind::Decision => "branch",
            Kind::Bound(_) => "bound",
            Kind::State(_) => "state",
            Kind::Lower(_) | Kind::StateLower(..) => "lower",
            Kind::Extent(_) | Kind::StateExtent(..) => "extent",
            Kind::Trips => "trips",
            Kind::Association | Kind::ShadowAssociation => "link",
            Kind::Top => "top",
            Kind::Stride => "stride",
            Kind::Taken => "taken",
            Kind::Slot => "slot",
            Kind::Save(_)
            | Kind::Snapshot(_)
            | Kind::Carried(_)
            | Kind::OnDisk(_)
            | Kind::Result
            | Kind::Crossing(_) => "tape",
        };
        let purpose = Purpose {
            name,
            ty,
            spelling: None,
            length: None,
            shape: Vec::new(),
            is_known_at_entry: true,
        };
        self.slot_for(frame, stmt, kind, purpose)
    }

    fn slot(&mut self, frame: Frame, stmt: StmtId, kind: Kind, place: &Access) -> Option<Slot> {
        if let Some(slot) = self.slots.get(&(frame, stmt, kind)) {
            return Some(slot.clone());
        }
        let (shape, is_known_at_entry) = self.shape_of(stmt, kind, place)?;
        let ty = self.type_of(place);
        let (spelling, length) = tape::declared_like(&mut self.out, place, ty);
        let name = format!("{}_tape", self.out.variables[place.var].name);
        let purpose = Purpose {
            name: &name,
            ty,
            spelling,
            length,
            shape,
            is_known_at_entry,
        };
        self.slot_for(frame, stmt, kind, purpose)
    }

    /// The shape of what is kept of a place, and whether it holds at entry.
    fn shape_of(&mut self, stmt: StmtId, kind: Kind, place: &Access) -> Option<(Vec<Range>, bool)> {
        self.saved.insert(place.var);
        let variable = self.out.variables[place.var].clone();
        let primal = &self.subject.module.procedures[self.subject.id];
        if place.path.is_empty()
            && crate::analysis::objects::changes_unseen(self.subject.module, primal, place.var)
        {
            self.unseen(stmt, place);
            return None;
        }
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        // An absent argument cannot be copied: only what the primal guards may be saved.
        let is_guarded = matches!(kind, Kind::Save(_)) && !place.path.is_empty();
        let mut is_known_at_entry = true;
        let is_block = matches!(self.out.stmt(stmt), Stmt::Call { .. })
            && place.path.last() == Some(&contraflow_ir::Selector::Deref);
        let shape = if variable.optional && !is_guarded {
            None
        } else if is_block {
            self.block_behind(place)
        } else if tape::is_scalar_place(self.subject.module, &self.out, place) {
            Some(Vec::new())
        } else if is_deferred(&self.out, place) {
            let known = self
                .subject
                .memory
                .shape_at_entry(&self.out, &extents, place.var);
            is_known_at_entry = self.is_shape_known(place);
            known.or_else(|| self.shape_here(place.var))
        } else {
            extents.memory_of(self.subject.module, &mut self.out, place)
        };
        // A callee may change what a pointer in the record leads to, however far.
        let leads_on = matches!(self.out.stmt(stmt), Stmt::Call { .. })
            && (holds_pointers(self.subject.module, self.type_of(place))
                || self.out.scalars_by_value
                    && Pointers::lead_on(self.subject.module, self.type_of(place)));
        if leads_on {
            self.problem_of_links(stmt, place);
            return None;
        }
        let Some(shape) = shape else {
            self.problem(stmt, place);
            return None;
        };
        Some((shape, is_known_at_entry))
    }

    fn slot_for(
        &mut self,
        frame: Frame,
        stmt: StmtId,
        kind: Kind,
        purpose: Purpose<'_>,
    ) -> Option<Slot> {
        if let Some(slot) = self.slots.get(&(frame, stmt, kind)) {
            return Some(slot.clone());
        }
        let procedure = &self.subject.module.procedures[self.subject.id];
        let tree = self.subject.tree;
        let mut loops = tree.loops_within(procedure, stmt, frame);
        if matches!(kind, Kind::Snapshot(_)) {
            loops.push(stmt);
        }
        let all = tree.loops(procedure, stmt);
        let around: Vec<StmtId> = all.into_iter().filter(|l| !loops.contains(l)).collect();
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        let slot = tape::slot(&mut self.out, &extents, &loops, &around, &purpose);
        if slot.is_tape(&self.out) {
            self.tapes.push(slot.variable());
        }
        self.slots.insert((frame, stmt, kind), slot.clone());
        Some(slot)
    }

    /// The elements behind a pointer that is passed to a callee: one is never meant.
    fn block_behind(&mut self, place: &Access) -> Option<Vec<super::extent::Range>> {
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        let (module, id) = (self.subject.module, self.subject.id);
        let out = &self.out;
        let count = Pointers::block(module, id, place, &|e| extents.is_fixed(out, e))?;
        let mut b = Builder::new(&mut self.out);
        let ty = b.type_of(count);
        let lower = b.int_of(0, ty);
        Some(vec![super::extent::Range { lower, count }])
    }

    fn unseen(&mut self, stmt: StmtId, place: &Access) {
        let span = self.subject.module.procedures[self.subject.id].stmts[stmt].span;
        let name = self.out.variables[place.var].name.clone();
        self.problems.push(unseen_problem(&name, span));
    }

    fn problem_of_links(&mut self, stmt: StmtId, place: &Access) {
        let span = self.subject.module.procedures[self.subject.id].stmts[stmt].span;
        let name = self.out.variables[place.var].name.clone();
        self.problems.push(
            Diagnostic::error(
                BEHIND_POINTERS,
                format!(
                    "the adjoint must save what is reached from `{name}` through pointers before this call"
                ),
            )
            .at(span, format!("what `{name}` leads to may be overwritten here"))
            .with_help("let the callee compute new values instead of overwriting those that it reads"),
        );
    }

    fn problem(&mut self, stmt: StmtId, place: &Access) {
        let span = self.subject.module.procedures[self.subject.id].stmts[stmt].span;
        let name = self.out.variables[place.var].name.clone();
        let owner = &self.subject.module.procedures[self.subject.id].name;
        let problem = Diagnostic::error(
            "unknown-extent",
            format!("the adjoint must save `{name}`, but how large it is cannot be found out"),
        )
        .at(
            span,
            format!("`{name}` is overwritten here and needed backwards"),
        )
        .with_help(match self.out.variables[place.var].is_argument() {
            true => format!(
                "declare `{name}` with its size (Fortran: explicit shape; C: `double {name}[n]`), or say it: `--extent '{owner}::{name}=n'`"
            ),
            false => format!(
                "declare `{name}` with its size, or allocate all that it may point to with one size that is known at entry"
            ),
        });
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
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
