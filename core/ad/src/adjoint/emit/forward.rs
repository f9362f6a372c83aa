//! The forward sweep: the primal statements in their order, with what the backward sweep will ask for.

use contraflow_ir::{Access, Argument, Builder, Callee, CaseArm, Expr, ExprId, Stmt, StmtId, Type};

use super::{Emitter, Frame, Kind};
use crate::adjoint::tape::Slot;

impl Emitter<'_, '_> {
    /// Runs `block` forward for `frame`; `inside` is the joint loop of the frame that the block
    /// lies in, where nothing is saved.
    pub(super) fn forward(&mut self, block: &[StmtId], frame: Frame, inside: Frame) -> Vec<StmtId> {
        let mut done = Vec::new();
        for &stmt in block {
            self.forward_stmt(stmt, frame, inside, &mut done);
        }
        done
    }

    pub(super) fn forward_stmt(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        inside: Frame,
        done: &mut Vec<StmtId>,
    ) {
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
            for (n, place) in needs.whole.get(&stmt).into_iter().flatten().enumerate() {
                if let Some(slot) = self.slot(frame, stmt, Kind::Whole(n), place) {
                    let ty = self.type_of(place);
                    done.push(slot.save(&mut self.out, place, ty));
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
    pub(super) fn read_back(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        target: &Access,
        done: &mut Vec<StmtId>,
    ) {
        let around = frame.and_then(|l| self.subject.frame_of(l));
        if let Some(slot) = self.slot(around, stmt, Kind::Result, target) {
            let ty = self.type_of(target);
            done.push(slot.restore(&mut self.out, target, ty));
        }
    }

    /// Where the value of a function goes that the source calls as a subroutine.
    pub(super) fn ignored_value(&mut self, stmt: StmtId) -> Option<Access> {
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
    pub(super) fn crossing_places(&mut self, stmt: StmtId, frame: Frame) -> Vec<Access> {
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
    pub(super) fn pass_crossing(&mut self, stmt: StmtId, frame: Frame) {
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

    pub(super) fn forward_loop(
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
    pub(super) fn save_decisions(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
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
                    if !self.is_literal(e) || self.forgets(stmt, e) {
                        self.keep_value(frame, stmt, Kind::Bound(n), e, done);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a bound of a loop asks what the loop changes.
    fn forgets(&self, stmt: StmtId, e: ExprId) -> bool {
        let primal = &self.subject.module.procedures[self.subject.id];
        let (memory, tree) = (self.subject.memory, self.subject.tree);
        memory.changes_answers(primal, tree, stmt, e)
    }

    pub(super) fn is_literal(&self, e: ExprId) -> bool {
        self.out.reads_of_expr(e).is_empty()
    }

    pub(super) fn keep_value(
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
    pub(super) fn decision(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        inside: Frame,
        e: ExprId,
    ) -> ExprId {
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
}
