//! The backward sweep: the mirror image of the forward one.

use std::collections::BTreeSet;

use contraflow_ir::{Access, Argument, Builder, CaseArm, Expr, ExprId, Stmt, StmtId, Type, VarId};

use super::{Emitter, Frame, Kind, reversed_range};
use crate::adjoint::distribute::distribute;
use crate::adjoint::extent::{Extents, Range};
use crate::adjoint::tape::{self, Purpose, Slot};

impl Emitter<'_, '_> {
    pub(super) fn backward(&mut self, block: &[StmtId], frame: Frame) -> Vec<StmtId> {
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

    pub(super) fn backward_stmt(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        let primal = self.subject.module.procedures[self.subject.id]
            .stmt(stmt)
            .clone();
        match primal {
            Stmt::Loop { variable, .. } => {
                self.restore_whole(stmt, frame, done);
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
                    self.undo(stmt, frame, done);
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

    pub(super) fn push_reverse(&mut self, stmt: StmtId, done: &mut Vec<StmtId>) {
        self.push_comment(stmt, done);
        done.extend(self.reverse.get(&stmt).into_iter().flatten());
    }

    pub(super) fn push_comment(&mut self, stmt: StmtId, done: &mut Vec<StmtId>) {
        let is_empty = self.reverse.get(&stmt).is_none_or(Vec::is_empty);
        if !is_empty && let Some(text) = (self.comments)(stmt) {
            done.push(Builder::new(&mut self.out).stmt(Stmt::Comment(text)));
        }
    }

    /// The backward statements of a statement up to its call, and those after it.
    pub(super) fn around_call(&self, stmt: StmtId) -> (Vec<StmtId>, Vec<StmtId>) {
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

    pub(super) fn push_if(
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

    pub(super) fn backward_loop(
        &mut self,
        stmt: StmtId,
        primal: Stmt,
        frame: Frame,
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

    pub(super) fn joint_iteration(
        &mut self,
        stmt: StmtId,
        body: &[StmtId],
        frame: Frame,
    ) -> Vec<StmtId> {
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
    pub(super) fn kept_over_rerun(
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
    pub(super) fn copy_slot(&mut self, shape: Vec<Range>, place: &Access) -> Slot {
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
        tape::slot(
            (&mut self.out, &mut self.names),
            &extents,
            &[],
            &[],
            &purpose,
        )
    }

    pub(super) fn put_back(
        &mut self,
        stmt: StmtId,
        snapshot: &[(Slot, Access)],
        done: &mut Vec<StmtId>,
    ) {
        for (slot, place) in snapshot.iter().rev() {
            let ty = self.type_of(place);
            self.written_backwards.insert(place.var);
            let restore = slot.restore(&mut self.out, place, ty);
            let restore = self.if_allocated(stmt, place, restore);
            done.push(restore);
        }
    }

    /// `do trip = trips, 1, -1` around the reversed body of a `While`.
    pub(super) fn backward_counted(
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

    pub(super) fn restore(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
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

    /// Gives an integer the value back that the statement added to.
    fn undo(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        if !self.frame(frame).undone.contains(&stmt) {
            return;
        }
        let undoing = self.subject.undoing(stmt);
        let undoing = undoing.expect("invariant: only what can be undone is");
        let target = undoing.target.clone();
        self.written_backwards.insert(target.var);
        let ty = self.out.variables[target.var].ty;
        let mut b = Builder::new(&mut self.out);
        let new = b.load_access(target.clone());
        let wide = b.type_of(undoing.by);
        let new = b.convert(new, wide);
        let old = b.exact_binary(undoing.op, new, undoing.by);
        let old = b.convert(old, ty);
        let undone = b.assign(target, old);
        done.push(undone);
    }

    /// Puts back what was kept whole where a loop starts: what its reversal uses.
    fn restore_whole(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        let places = self.frame(frame).whole.get(&stmt).cloned();
        for (n, place) in places.into_iter().flatten().enumerate() {
            if let Some(slot) = self.slot(frame, stmt, Kind::Whole(n), &place) {
                let ty = self.type_of(&place);
                self.written_backwards.insert(place.var);
                done.push(slot.restore(&mut self.out, &place, ty));
            }
        }
    }

    /// The order in which places saved at one statement are put back: what the subscripts of others
    /// read comes first.
    pub(super) fn restore_order(&self, places: &[Access]) -> Vec<usize> {
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
    pub(super) fn restore_after_call(
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
    pub(super) fn written_again(&self, stmt: StmtId) -> Vec<VarId> {
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
    pub(super) fn capture_result(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
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
    pub(super) fn recall(
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
}
