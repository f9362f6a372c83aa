//! The scalars and slots of a time loop.

use contraflow_ir::{
    Access, Allocation, Builder, Diagnostic, Dim, Expr, ExprId, Extent, Role, Stmt, StmtId, Type,
    VarId, Variable,
};

use super::{Clock, Emitter, Frame, Kind, Purpose, Range, Schedule, Slot, integers, tape};
use crate::allocation::{holds_allocatables, holds_pointers, release_if_there};

impl Emitter<'_, '_> {
    pub(super) fn load(&mut self, place: &Access) -> ExprId {
        Builder::new(&mut self.out).expr(Expr::Load(place.clone()), Type::INT)
    }

    pub(super) fn step_counter(&mut self, stmt: StmtId, base: &'static str) -> VarId {
        if let Some(&var) = self.counters.get(&(stmt, base)) {
            return var;
        }
        let var = self.temporary(base, Type::INT);
        self.counters.insert((stmt, base), var);
        var
    }

    pub(super) fn clock(&mut self, stmt: StmtId, frame: Frame) -> Option<Clock> {
        let (files, slots) = match self.subject.schedule(stmt)? {
            Schedule::Binomial { slots } => (None, slots),
            Schedule::Disk { files, slots } => (Some(i128::from(files.max(1))), slots),
        };
        let slots = i128::from(slots.max(1));
        if files.is_some() && !self.can_be_on_disk(stmt, frame) {
            self.problem_of_disk(stmt);
            return None;
        }
        let is_counted = matches!(self.out.stmt(stmt), Stmt::Loop { .. });
        let trips = self.scalar_of(stmt, frame, Kind::Trips, "trips")?;
        let top = self.scalar_of(stmt, frame, Kind::Top, "top")?;
        let taken = self.numbers(stmt, frame, Kind::Taken, "taken", slots)?;
        let place = match is_counted || slots == 1 {
            true => None,
            false => Some(self.numbers(stmt, frame, Kind::Slot, "slot", slots)?),
        };
        let variables = &self.needs.carried[&stmt].state;
        let mut state = Vec::new();
        let mut made = Vec::new();
        for (n, &var) in variables.iter().enumerate() {
            let place = Access::whole(var);
            let kind = Kind::Carried(n);
            let (shape, is_known_at_entry) = self.shape_of(stmt, kind, &place)?;
            let ty = self.type_of(&place);
            if holds_pointers(self.subject.module, ty) {
                self.problem_of_links(stmt, &place);
                return None;
            }
            if !is_known_at_entry && self.can_be_made_here(stmt, frame, var) {
                let slot = self.made_here(stmt, frame, kind, &place, shape, slots);
                made.push(slot.variable());
                state.push((slot, place));
                continue;
            }
            let (spelling, length) = tape::declared_like(&mut self.out, &place, ty);
            let name = format!("{}_kept", self.out.variables[var].name);
            let purpose = Purpose {
                name: &name,
                ty,
                spelling,
                length,
                shape,
                is_known_at_entry,
            };
            let slot = self.slots_for(stmt, frame, kind, purpose, slots)?;
            state.push((slot, place));
        }
        let disk = match files {
            Some(files) => Some(self.disk(stmt, frame, files, &state)?),
            None => None,
        };
        Some(Clock {
            disk,
            slots,
            trips,
            top,
            taken,
            place,
            next: self.step_counter(stmt, "next"),
            state,
            made,
        })
    }

    pub(super) fn can_be_on_disk(&self, stmt: StmtId, frame: Frame) -> bool {
        let module = self.subject.module;
        let procedure = &module.procedures[self.subject.id];
        let state = &self.needs.carried[&stmt].state;
        let is_plain = |&var: &VarId| {
            let ty = procedure.variables[var].ty;
            ty.is_numeric()
                || matches!(ty, Type::Logical { .. } | Type::Record(_))
                    && !holds_allocatables(module, ty)
        };
        matches!(procedure.stmt(stmt), Stmt::Loop { .. })
            && self.subject.tree.loops_within(stmt, frame).is_empty()
            && state.iter().all(is_plain)
    }

    /// Whether memory for the snapshots of an allocatable can be made when the loop starts: the loop
    /// runs once in its frame.
    pub(super) fn can_be_made_here(&self, stmt: StmtId, frame: Frame, var: VarId) -> bool {
        let procedure = &self.subject.module.procedures[self.subject.id];
        let within = self.subject.tree.loops_within(stmt, frame);
        within.is_empty() && procedure.variables[var].allocation == Allocation::Allocatable
    }

    /// An allocatable for the snapshots of one.
    pub(super) fn made_here(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        kind: Kind,
        place: &Access,
        mut shape: Vec<Range>,
        slots: i128,
    ) -> Slot {
        if let Some(slot) = self.slots.get(&(frame, stmt, kind)) {
            return slot.clone();
        }
        let mut b = Builder::new(&mut self.out);
        let (lower, count) = (b.int(0), b.int(slots));
        shape.push(Range { lower, count });
        let model = b.procedure.variables[place.var].clone();
        let name = crate::naming::unique(b.procedure, &format!("{}_kept", model.name));
        let mut variable = Variable::scalar(name, model.ty);
        variable.spelling = model.spelling_of(model.ty);
        variable.allocation = Allocation::Allocatable;
        variable.role = Role::Tape;
        variable.shape = shape
            .iter()
            .map(|range| Dim {
                lower: range.lower,
                extent: Extent::Deferred,
            })
            .collect();
        let var = b.variable(variable);
        self.tapes.push(var);
        let slot = Slot::Fixed {
            place: Access::whole(var),
            shape,
        };
        self.slots.insert((frame, stmt, kind), slot.clone());
        slot
    }

    /// Makes memory for the snapshots of what has some.
    pub(super) fn make(&mut self, stmt: StmtId, clock: &Clock, done: &mut Vec<StmtId>) {
        for (slot, place) in &clock.state {
            let (true, Slot::Fixed { shape, .. }) = (clock.made.contains(&slot.variable()), slot)
            else {
                continue;
            };
            self.make_one(stmt, slot.variable(), shape, place, done);
            if let Some(kept @ Slot::Fixed { shape, .. }) = clock.on_disk_like(slot) {
                self.make_one(stmt, kept.variable(), shape, place, done);
            }
        }
    }

    pub(super) fn make_one(
        &mut self,
        stmt: StmtId,
        var: VarId,
        shape: &[Range],
        place: &Access,
        done: &mut Vec<StmtId>,
    ) {
        let shape = shape
            .iter()
            .map(|range| (Some(range.lower), range.count))
            .collect();
        let allocate = Builder::new(&mut self.out).stmt(Stmt::Allocate {
            target: Access::whole(var),
            shape,
            zeroed: false,
        });
        done.push(self.if_allocated(stmt, place, allocate));
    }

    pub(super) fn release(&mut self, stmt: StmtId, clock: &Clock, done: &mut Vec<StmtId>) {
        for &var in &clock.made {
            done.push(release_if_there(&mut self.out, var));
        }
        for (slot, place) in &clock.state {
            if !clock.made.contains(&slot.variable()) {
                continue;
            }
            if let Some(kept) = clock.on_disk_like(slot) {
                let target = Access::whole(kept.variable());
                let free = Builder::new(&mut self.out).stmt(Stmt::Free { target });
                done.push(self.if_allocated(stmt, place, free));
            }
        }
    }

    pub(super) fn scalar_of(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        kind: Kind,
        name: &str,
    ) -> Option<Access> {
        let purpose = integers(name);
        match self.slot_for(frame, stmt, kind, purpose)? {
            Slot::Fixed { place, .. } => Some(place),
            Slot::Growing { .. } => {
                self.problem_of_time(stmt);
                None
            }
        }
    }

    pub(super) fn numbers(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        kind: Kind,
        name: &str,
        slots: i128,
    ) -> Option<Slot> {
        let purpose = integers(name);
        self.slots_for(stmt, frame, kind, purpose, slots)
    }

    /// A slot for several values: its last dimension but those of the loops around counts them.
    pub(super) fn slots_for(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        kind: Kind,
        purpose: Purpose<'_>,
        slots: i128,
    ) -> Option<Slot> {
        let mut b = Builder::new(&mut self.out);
        let (lower, count) = (b.int(0), b.int(slots));
        let mut shape = purpose.shape.clone();
        shape.push(Range { lower, count });
        let purpose = Purpose { shape, ..purpose };
        match self.slot_for(frame, stmt, kind, purpose)? {
            slot @ Slot::Fixed { .. } => Some(slot),
            Slot::Growing { .. } => {
                self.problem_of_time(stmt);
                None
            }
        }
    }

    pub(super) fn problem_of_time(&mut self, stmt: StmtId) {
        let procedure = &self.subject.module.procedures[self.subject.id];
        let problem = Diagnostic::error(
            "not-checkpointed",
            format!(
                "cannot reverse this loop of `{}` with snapshots: how many runs of it are to be kept at a \
                 time, or how large its state is, is not known at entry",
                procedure.name
            ),
        )
        .at(procedure.stmts[stmt].span, "the loop")
        .with_help("put the loop into a procedure of its own, with the size of its arrays among its arguments");
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}
