//! The two sweeps of a time loop. With `n` trips and `s` snapshots, `a` the steps at which they were
//! taken:
//!
//! ```text
//! forward                              backward
//! take a snapshot, a(0) = 0            do step = n - 1, 0, -1
//! do step = 0, n - 1                     drop the snapshots behind step
//!   take one, if it is time              put the last one back
//!   run the step                         do place = a(top), step - 1
//! end do                                   take a snapshot, if it is time
//!                                          advance: run the step at place
//!                                        end do
//!                                        run the step, taping; reverse it
//!                                      end do
//! ```
//!
//! Where the number of trips is not known before the loop, the forward sweep takes snapshots at
//! multiples of a stride, with about half of the slots; when these are full it drops every second one
//! and doubles the stride. So `n` trips leave snapshots not further apart than `4n / s`, and the other
//! half of the slots serves the binomial schedule between them. (Wang, Moin & Iaccarino, SIAM J. Sci.
//! Comput. 31(4), 2009, show how near to the optimum one can come; this is simpler, and at most twice
//! as far.)

mod disk;
mod online;
mod slots;

use contraflow_ir::{
    Access, Argument, BinaryOp, Builder, Callee, Expr, ExprId, Intrinsic, Stmt, StmtId, Type, VarId,
};

use super::{Emitter, Frame, Kind};
use crate::adjoint::extent::Range;
use crate::adjoint::tape::{self, Purpose, Slot};
use crate::checkpoint::Schedule;

/// The scalars and slots of one time loop.
struct Clock {
    /// Snapshots at a time.
    slots: i128,
    /// The trips of the loop.
    trips: Access,
    /// The number of the last snapshot, from 0.
    top: Access,
    /// At which step the snapshots were taken: an array over their numbers.
    taken: Slot,
    /// In which slot each is, where they do not stay in order.
    place: Option<Slot>,
    /// The step at which the next one is due.
    next: VarId,
    /// Where the state is kept.
    state: Vec<(Slot, Access)>,
    /// What of that has memory only around the sweeps of the loop.
    made: Vec<VarId>,
    /// The snapshots on disk.
    disk: Option<Disk>,
}

/// Snapshots on disk: the first slot in memory is what is written there and read back.
struct Disk {
    /// How many.
    files: i128,
    /// The steps between two of them.
    stride: Access,
    /// Where each variable of the state is kept.
    state: Vec<Slot>,
}

impl Clock {
    /// The tape on disk, if any, of what a slot keeps.
    fn on_disk_like(&self, slot: &Slot) -> Option<&Slot> {
        let position = self
            .state
            .iter()
            .position(|(other, _)| other.variable() == slot.variable())?;
        self.disk.as_ref()?.state.get(position)
    }
}

/// The step of an iteration: how its variable is found.
struct Counted {
    variable: VarId,
    lower: ExprId,
    step: ExprId,
}

impl Emitter<'_, '_> {
    /// Whether a loop is reversed in this frame with snapshots of some of its iterations.
    pub(super) fn is_time_loop(&self, stmt: StmtId, frame: Frame) -> bool {
        self.subject.schedule(stmt).is_some()
            && self.needs.reversed.contains(&stmt)
            && self.subject.frame_of(stmt) == frame
    }

    pub(super) fn forward_in_time(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        let Some(clock) = self.clock(stmt, frame) else {
            return;
        };
        let primal = self.subject.module.procedures[self.subject.id]
            .stmt(stmt)
            .clone();
        let is_counted = matches!(primal, Stmt::Loop { .. });
        let place = self.step_counter(stmt, "place");
        self.make(stmt, &clock, done);
        let mut b = Builder::new(&mut self.out);
        let (zero, one) = (b.int(0), b.int(1));
        done.push(b.assign(clock.top.clone(), zero));
        let start = at_slot(b.procedure, &clock.taken, zero);
        done.push(b.assign(start, zero));
        done.push(b.assign(Access::whole(place), zero));
        if let Stmt::Loop {
            lower, upper, step, ..
        } = primal
        {
            let trips = trips(&mut b, lower, upper, step);
            done.push(b.assign(clock.trips.clone(), trips));
            if let Some(disk) = &clock.disk {
                self.set_stride(&clock, disk, done);
            } else {
                self.save_state(stmt, &clock, zero, done);
                let end = self.after_all_trips(&clock);
                self.plan_next(&clock, zero, end, done);
            }
        } else {
            self.start_stride(stmt, &clock, done);
            self.save_state(stmt, &clock, zero, done);
        }
        let mut inner = Vec::new();
        if let Some(disk) = &clock.disk {
            inner.push(self.write_if_due(stmt, &clock, disk, place));
        } else if clock.slots > 1 {
            let end = self.after_all_trips(&clock);
            let here = Builder::new(&mut self.out).load(place);
            let taking = match is_counted {
                true => self.take(stmt, &clock, here, end),
                false => self.take_or_thin_out(stmt, &clock, here),
            };
            let mut b = Builder::new(&mut self.out);
            let due = b.load(clock.next);
            let is_due = b.compare(BinaryOp::Equal, here, due);
            inner.push(b.if_else(is_due, taking, Vec::new()));
        }
        let mut b = Builder::new(&mut self.out);
        inner.push(b.increment(Access::whole(place), one));
        let copy = match primal {
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body,
                ..
            } => {
                inner.extend(self.forward(&body, frame, Some(stmt)));
                Stmt::Loop {
                    variable,
                    lower,
                    upper,
                    step,
                    body: inner,
                    label: None,
                    directive: None,
                }
            }
            Stmt::While {
                condition, body, ..
            } => {
                inner.extend(self.forward(&body, frame, Some(stmt)));
                Stmt::While {
                    condition,
                    body: inner,
                    label: None,
                }
            }
            _ => unreachable!("invariant: only loops have schedules"),
        };
        done.push(self.stmt(copy, stmt));
        if !is_counted {
            let mut b = Builder::new(&mut self.out);
            let count = b.load(place);
            done.push(b.assign(clock.trips, count));
        }
    }

    pub(super) fn backward_in_time(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        let Some(clock) = self.clock(stmt, frame) else {
            return;
        };
        let primal = self.subject.module.procedures[self.subject.id]
            .stmt(stmt)
            .clone();
        let counted = self.counted(stmt, &primal, frame, done);
        let (Stmt::Loop { body, .. } | Stmt::While { body, .. }) = primal else {
            return;
        };
        let step = self.step_counter(stmt, "step");
        let place = self.step_counter(stmt, "place");
        let mut inner = Vec::new();
        if let Some(disk) = &clock.disk {
            inner.push(self.read_if_due(&clock, disk, step));
        }
        self.drop_behind(&clock, step, &mut inner);
        let top = self.load(&clock.top);
        self.restore_state(stmt, &clock, top, &mut inner);
        inner.push(self.advance(stmt, &clock, &counted, &body, (step, place)));
        self.set_variable(&counted, step, &mut inner);
        inner.extend(self.forward(&body, Some(stmt), None));
        inner.extend(self.backward(&body, Some(stmt)));
        let all = self.load(&clock.trips);
        let mut b = Builder::new(&mut self.out);
        let (zero, one, back) = (b.int(0), b.int(1), b.int(-1));
        let last = b.sub(all, one);
        let copy = b.counted_loop(step, last, zero, back, inner);
        done.push(copy);
        let given_back = self.frame(frame).given_back.get(&stmt);
        let given_back = given_back.cloned().unwrap_or_default();
        let first: Vec<(Slot, Access)> = clock
            .state
            .iter()
            .filter(|(_, place)| given_back.contains(place))
            .cloned()
            .collect();
        let slot = self.first_slot(&clock, zero);
        let mut back = Vec::new();
        if let Some(disk) = clock.disk.as_ref().filter(|_| !first.is_empty()) {
            self.copy_from_disk(&clock, disk, zero, &mut back);
        }
        self.transfer_state(stmt, &first, slot, Transfer::Restore, &mut back);
        match clock.disk {
            Some(_) if !back.is_empty() => {
                // Without a trip nothing was written.
                let mut b = Builder::new(&mut self.out);
                let any = b.compare(BinaryOp::Greater, all, zero);
                done.push(b.if_else(any, back, Vec::new()));
            }
            _ => done.extend(back),
        }
        self.release(stmt, &clock, done);
    }

    /// Runs the loop from the last snapshot to the step that is about to be reversed.
    fn advance(
        &mut self,
        stmt: StmtId,
        clock: &Clock,
        counted: &Option<Counted>,
        body: &[StmtId],
        (step, place): (VarId, VarId),
    ) -> StmtId {
        let mut b = Builder::new(&mut self.out);
        let (here, last, one) = (b.load(place), b.load(step), b.int(1));
        let end = b.add(last, one);
        let last = b.load(step);
        let before = b.sub(last, one);
        let mut inner = Vec::new();
        let mut start = Vec::new();
        if clock.slots > 1 {
            let top = self.load(&clock.top);
            let from = at_slot(&mut self.out, &clock.taken, top);
            let from = self.load(&from);
            self.plan_next(clock, from, end, &mut start);
            let taking = self.take(stmt, clock, here, end);
            let mut b = Builder::new(&mut self.out);
            let due = b.load(clock.next);
            let is_due = b.compare(BinaryOp::Equal, here, due);
            inner.push(b.if_else(is_due, taking, Vec::new()));
        }
        self.set_variable(counted, place, &mut inner);
        let outer = self.advancing.replace(stmt);
        let run = self.forward(body, Some(stmt), Some(stmt));
        self.advancing = outer;
        inner.extend(run);
        let top = self.load(&clock.top);
        let from = at_slot(&mut self.out, &clock.taken, top);
        let from = self.load(&from);
        let mut b = Builder::new(&mut self.out);
        let one = b.int(1);
        let copy = b.counted_loop(place, from, before, one, inner);
        if start.is_empty() {
            return copy;
        }
        // Nothing to plan where the snapshot is that of the step itself.
        let last = b.load(step);
        let is_ahead = b.compare(BinaryOp::Less, from, last);
        start.push(copy);
        b.if_else(is_ahead, start, Vec::new())
    }

    /// `do while (taken(top) > step) top = top - 1`
    fn drop_behind(&mut self, clock: &Clock, step: VarId, inner: &mut Vec<StmtId>) {
        if clock.slots == 1 {
            return;
        }
        let top = self.load(&clock.top);
        let last = at_slot(&mut self.out, &clock.taken, top);
        let last = self.load(&last);
        let mut b = Builder::new(&mut self.out);
        let here = b.load(step);
        let condition = b.compare(BinaryOp::Greater, last, here);
        let one = b.int(1);
        let fewer = b.sub(top, one);
        let body = vec![b.assign(clock.top.clone(), fewer)];
        inner.push(b.stmt(Stmt::While {
            condition,
            body,
            label: None,
        }));
    }

    /// Takes a snapshot at the step `here`, and finds when the next one of the chain to `end` is due.
    fn take(&mut self, stmt: StmtId, clock: &Clock, here: ExprId, end: ExprId) -> Vec<StmtId> {
        let mut done = Vec::new();
        self.note(stmt, clock, here, &mut done);
        self.plan_next(clock, here, end, &mut done);
        done
    }

    /// `top = top + 1; taken(top) = here; kept(…, top) = state`
    fn note(&mut self, stmt: StmtId, clock: &Clock, here: ExprId, done: &mut Vec<StmtId>) {
        let top = self.load(&clock.top);
        let mut b = Builder::new(&mut self.out);
        let one = b.int(1);
        let more = b.add(top, one);
        done.push(b.assign(clock.top.clone(), more));
        let top = self.load(&clock.top);
        let target = at_slot(&mut self.out, &clock.taken, top);
        done.push(Builder::new(&mut self.out).assign(target, here));
        self.save_state(stmt, clock, top, done);
    }

    /// `next = next_snapshot(here, end, slots - top)`
    fn plan_next(&mut self, clock: &Clock, here: ExprId, end: ExprId, done: &mut Vec<StmtId>) {
        let Some(helper) = self.next_snapshot.filter(|_| clock.slots > 1) else {
            return;
        };
        let top = self.load(&clock.top);
        let mut b = Builder::new(&mut self.out);
        let slots = b.int(clock.slots);
        let free = b.sub(slots, top);
        done.push(b.stmt(Stmt::Call {
            callee: Callee::Procedure(helper),
            arguments: [here, end, free].map(Argument::Value).to_vec(),
            result: Some(Access::whole(clock.next)),
        }));
    }

    /// The end of the chain whose last step is what follows the loop.
    fn after_all_trips(&mut self, clock: &Clock) -> ExprId {
        let all = self.load(&clock.trips);
        let mut b = Builder::new(&mut self.out);
        let one = b.int(1);
        b.add(all, one)
    }

    // ---- the state ----

    fn save_state(&mut self, stmt: StmtId, clock: &Clock, number: ExprId, done: &mut Vec<StmtId>) {
        let slot = self.first_slot(clock, number);
        self.transfer_state(stmt, &clock.state, slot, Transfer::Save, done);
    }

    fn restore_state(
        &mut self,
        stmt: StmtId,
        clock: &Clock,
        number: ExprId,
        done: &mut Vec<StmtId>,
    ) {
        let slot = self.first_slot(clock, number);
        self.transfer_state(stmt, &clock.state, slot, Transfer::Restore, done);
    }

    /// The slot of the snapshot with this number.
    fn first_slot(&mut self, clock: &Clock, number: ExprId) -> ExprId {
        match &clock.place {
            None => number,
            Some(place) => {
                let place = at_slot(&mut self.out, place, number);
                self.load(&place)
            }
        }
    }

    fn transfer_state(
        &mut self,
        stmt: StmtId,
        state: &[(Slot, Access)],
        number: ExprId,
        direction: Transfer,
        done: &mut Vec<StmtId>,
    ) {
        for (slot, place) in state {
            let ty = self.type_of(place);
            let Slot::Fixed { shape, .. } = slot else {
                continue;
            };
            let slot = Slot::Fixed {
                place: at_slot(&mut self.out, slot, number),
                shape: shape[..shape.len() - 1].to_vec(),
            };
            let transfer = match direction {
                Transfer::Save => slot.save(&mut self.out, place, ty),
                Transfer::Restore => {
                    self.written_backwards.insert(place.var);
                    slot.restore(&mut self.out, place, ty)
                }
            };
            let transfer = self.if_allocated(stmt, place, transfer);
            done.push(transfer);
        }
    }

    // ---- the variable ----

    fn counted(
        &mut self,
        stmt: StmtId,
        primal: &Stmt,
        frame: Frame,
        done: &mut Vec<StmtId>,
    ) -> Option<Counted> {
        let Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            ..
        } = *primal
        else {
            return None;
        };
        let step = {
            // What was pushed is popped in the opposite order, whether or not it is used.
            let lower_bound = self.recall(stmt, frame, Kind::Bound(0), lower, done);
            self.recall(stmt, frame, Kind::Bound(1), upper, done);
            let step = self.recall(stmt, frame, Kind::Bound(2), step, done);
            (lower_bound, step)
        };
        Some(Counted {
            variable,
            lower: step.0,
            step: step.1,
        })
    }

    /// `variable = lower + number * step`
    fn set_variable(&mut self, counted: &Option<Counted>, number: VarId, done: &mut Vec<StmtId>) {
        let Some(counted) = counted else {
            return;
        };
        let mut b = Builder::new(&mut self.out);
        let number = b.load(number);
        let ty = b.type_of(counted.lower);
        let number = b.convert(number, ty);
        let far = b.mul(number, counted.step);
        let value = b.add(counted.lower, far);
        let own = b.procedure.variables[counted.variable].ty;
        let value = b.convert(value, own);
        done.push(b.assign(Access::whole(counted.variable), value));
        self.written_backwards.insert(counted.variable);
    }
}

#[derive(Clone, Copy)]
enum Transfer {
    Save,
    Restore,
}

fn integers(name: &str) -> Purpose<'_> {
    Purpose {
        name,
        ty: Type::INT,
        spelling: None,
        length: None,
        shape: Vec::new(),
        is_known_at_entry: true,
    }
}

/// The place of one of several values: the last dimension of the slot's own counts them.
fn at_slot(out: &mut contraflow_ir::Procedure, slot: &Slot, number: ExprId) -> Access {
    let Slot::Fixed { place, shape } = slot else {
        unreachable!("invariant: slots of time loops are fixed");
    };
    let mut subscripts = match place.subscripts() {
        Some(subscripts) if !subscripts.is_empty() => subscripts.to_vec(),
        _ => {
            let all = Expr::Range {
                lower: None,
                upper: None,
                step: None,
            };
            let all = Builder::new(out).expr(all, Type::INT);
            vec![all; shape.len()]
        }
    };
    subscripts[shape.len() - 1] = number;
    Access::element(place.var, subscripts)
}

/// `max(0, (upper - lower + step) / step)`
fn trips(b: &mut Builder<'_>, lower: ExprId, upper: ExprId, step: ExprId) -> ExprId {
    let count = match b.integer_value(step) {
        Some(-1) => {
            let far = b.sub(lower, upper);
            let one = b.int_of(1, b.type_of(far));
            b.add(far, one)
        }
        Some(1) => {
            let far = b.sub(upper, lower);
            let one = b.int_of(1, b.type_of(far));
            b.add(far, one)
        }
        _ => {
            let far = b.sub(upper, lower);
            let far = b.add(far, step);
            b.exact_binary(BinaryOp::Divide, far, step)
        }
    };
    let count = b.convert(count, Type::INT);
    let zero = b.int(0);
    b.call(Intrinsic::Max, vec![zero, count])
}
