//! Snapshots on disk: the first slot in memory is what is written there and read back.

use contraflow_ir::{
    Access, BinaryOp, Builder, Diagnostic, ExprId, Extent, Intrinsic, Role, Stmt, StmtId, VarId,
};

use super::{Clock, Disk, Emitter, Frame, Kind, Slot, at_slot};

impl Emitter<'_, '_> {
    /// `stride = max(1, (trips + files - 1) / files)`
    pub(super) fn set_stride(&mut self, clock: &Clock, disk: &Disk, done: &mut Vec<StmtId>) {
        let all = self.load(&clock.trips);
        let mut b = Builder::new(&mut self.out);
        let (one, files, more) = (b.int(1), b.int(disk.files), b.int(disk.files - 1));
        let sum = b.add(all, more);
        let share = b.div(sum, files);
        let stride = b.call(Intrinsic::Max, vec![one, share]);
        done.push(b.assign(disk.stride.clone(), stride));
    }

    /// Whether a step is a multiple of the stride.
    pub(super) fn is_multiple(&mut self, disk: &Disk, step: ExprId) -> ExprId {
        let stride = self.load(&disk.stride);
        let mut b = Builder::new(&mut self.out);
        let rest = b.exact_binary(BinaryOp::Remainder, step, stride);
        let zero = b.int(0);
        b.compare(BinaryOp::Equal, rest, zero)
    }

    pub(super) fn write_if_due(
        &mut self,
        stmt: StmtId,
        clock: &Clock,
        disk: &Disk,
        place: VarId,
    ) -> StmtId {
        let here = Builder::new(&mut self.out).load(place);
        let is_due = self.is_multiple(disk, here);
        let stride = self.load(&disk.stride);
        let mut b = Builder::new(&mut self.out);
        let zero = b.int(0);
        let number = b.div(here, stride);
        let mut then = Vec::new();
        self.save_state(stmt, clock, zero, &mut then);
        for ((slot, _), kept) in clock.state.iter().zip(&disk.state) {
            let source = at_slot(&mut self.out, slot, zero);
            let target = at_slot(&mut self.out, kept, number);
            then.push(Builder::new(&mut self.out).stmt(Stmt::Copy { target, source }));
        }
        Builder::new(&mut self.out).if_else(is_due, then, Vec::new())
    }

    /// At the last step of each stretch, reads the snapshot from which it starts.
    pub(super) fn read_if_due(&mut self, clock: &Clock, disk: &Disk, step: VarId) -> StmtId {
        let stride = self.load(&disk.stride);
        let all = self.load(&clock.trips);
        let mut b = Builder::new(&mut self.out);
        let (here, one, zero) = (b.load(step), b.int(1), b.int(0));
        let after = b.add(here, one);
        let is_last = b.compare(BinaryOp::Equal, after, all);
        let number = b.div(here, stride);
        let start = b.mul(number, stride);
        let ends = self.is_multiple(disk, after);
        let mut then = Vec::new();
        self.copy_from_disk(clock, disk, number, &mut then);
        let first = at_slot(&mut self.out, &clock.taken, zero);
        let mut b = Builder::new(&mut self.out);
        then.push(b.assign(clock.top.clone(), zero));
        then.push(b.assign(first, start));
        let is_due = b.exact_binary(BinaryOp::Or, is_last, ends);
        b.if_else(is_due, then, Vec::new())
    }

    pub(super) fn copy_from_disk(
        &mut self,
        clock: &Clock,
        disk: &Disk,
        number: ExprId,
        done: &mut Vec<StmtId>,
    ) {
        let zero = Builder::new(&mut self.out).int(0);
        for ((slot, _), kept) in clock.state.iter().zip(&disk.state) {
            let target = at_slot(&mut self.out, slot, zero);
            let source = at_slot(&mut self.out, kept, number);
            done.push(Builder::new(&mut self.out).stmt(Stmt::Copy { target, source }));
        }
    }

    /// Places on disk for what the slots in memory keep.
    pub(super) fn disk(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        files: i128,
        state: &[(Slot, Access)],
    ) -> Option<Disk> {
        let stride = self.scalar_of(stmt, frame, Kind::Stride, "stride")?;
        let mut kept = Vec::new();
        for (n, (slot, place)) in state.iter().enumerate() {
            let kind = Kind::OnDisk(n);
            if let Some(known) = self.slots.get(&(frame, stmt, kind)) {
                kept.push(known.clone());
                continue;
            }
            let Slot::Fixed { shape, .. } = slot else {
                continue;
            };
            let mut shape = shape.clone();
            let mut variable = self.out.variables[slot.variable()].clone();
            let name = format!("{}_disk", self.out.variables[place.var].name);
            variable.name = crate::naming::unique(&self.out, &name);
            variable.role = Role::Disk;
            let count = Builder::new(&mut self.out).int(files);
            if let (Some(range), Some(dim)) = (shape.last_mut(), variable.shape.last_mut()) {
                range.count = count;
                if let Extent::Count(_) = dim.extent {
                    dim.extent = Extent::Count(count);
                }
            }
            let var = self.out.variables.add(variable);
            let place = Access::whole(var);
            let slot = Slot::Fixed { place, shape };
            self.slots.insert((frame, stmt, kind), slot.clone());
            kept.push(slot);
        }
        Some(Disk {
            files,
            stride,
            state: kept,
        })
    }

    pub(super) fn problem_of_disk(&mut self, stmt: StmtId) {
        let procedure = &self.subject.module.procedures[self.subject.id];
        let problem = Diagnostic::error(
            "not-checkpointed",
            format!(
                "cannot keep the states of this loop of `{}` on disk: its trips must be counted, no \
                 other loop of the procedure around it, and its state numbers",
                procedure.name
            ),
        )
        .at(procedure.stmts[stmt].span, "the loop")
        .with_help("write checkpoint binomial(20)");
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}
