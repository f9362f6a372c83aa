//! Snapshots of loops whose trips are not known before they run: every second one is dropped when
//! there is no more room.

use contraflow_ir::{Access, BinaryOp, Builder, Expr, ExprId, StmtId, Type, VarId};

use super::{Clock, Emitter, at_slot};

impl Emitter<'_, '_> {
    /// How many snapshots the forward sweep holds at most.
    pub(super) fn held(clock: &Clock) -> i128 {
        2 * (clock.slots / 4).max(1)
    }

    pub(super) fn stride(&mut self, stmt: StmtId) -> VarId {
        self.step_counter(stmt, "stride")
    }

    /// `stride = 1; next = 1; place(k) = k`
    pub(super) fn start_stride(&mut self, stmt: StmtId, clock: &Clock, done: &mut Vec<StmtId>) {
        if clock.slots == 1 {
            return;
        }
        let stride = self.stride(stmt);
        let number = self.step_counter(stmt, "number");
        let mut b = Builder::new(&mut self.out);
        let one = b.int(1);
        done.push(b.assign(Access::whole(stride), one));
        done.push(b.assign(Access::whole(clock.next), one));
        if let Some(place) = &clock.place {
            let own = b.load(number);
            let target = at_slot(b.procedure, place, own);
            let same = b.assign(target, own);
            let (zero, last) = (b.int(0), b.int(clock.slots - 1));
            done.push(b.counted_loop(number, zero, last, one, vec![same]));
        }
    }

    /// Takes a snapshot after dropping every second one if there is no room.
    pub(super) fn take_or_thin_out(
        &mut self,
        stmt: StmtId,
        clock: &Clock,
        here: ExprId,
    ) -> Vec<StmtId> {
        let mut done = vec![self.thin_out(stmt, clock)];
        self.note(stmt, clock, here, &mut done);
        let stride = self.stride(stmt);
        let mut b = Builder::new(&mut self.out);
        let far = b.load(stride);
        let next = b.add(here, far);
        done.push(b.assign(Access::whole(clock.next), next));
        done
    }

    pub(super) fn thin_out(&mut self, stmt: StmtId, clock: &Clock) -> StmtId {
        let held = Self::held(clock);
        let stride = self.stride(stmt);
        let number = self.step_counter(stmt, "number");
        let swapped = self.step_counter(stmt, "swapped");
        let top = self.load(&clock.top);
        let mut b = Builder::new(&mut self.out);
        let (one, two, full) = (b.int(1), b.int(2), b.int(held - 1));
        let is_full = b.compare(BinaryOp::Equal, top, full);
        let mut then = Vec::new();
        if held > 2 {
            let own = b.load(number);
            let other = b.mul(two, own);
            let (to, from) = (
                at_slot(b.procedure, &clock.taken, own),
                at_slot(b.procedure, &clock.taken, other),
            );
            let value = b.expr(Expr::Load(from), Type::INT);
            let mut body = vec![b.assign(to, value)];
            if let Some(place) = &clock.place {
                let (to, from) = (
                    at_slot(b.procedure, place, own),
                    at_slot(b.procedure, place, other),
                );
                let value = b.expr(Expr::Load(to.clone()), Type::INT);
                body.push(b.assign(Access::whole(swapped), value));
                let value = b.expr(Expr::Load(from.clone()), Type::INT);
                body.push(b.assign(to, value));
                let value = b.load(swapped);
                body.push(b.assign(from, value));
            }
            let last = b.int(held / 2 - 1);
            then.push(b.counted_loop(number, one, last, one, body));
        }
        let half = b.int(held / 2 - 1);
        then.push(b.assign(clock.top.clone(), half));
        let far = b.load(stride);
        let double = b.mul(two, far);
        then.push(b.assign(Access::whole(stride), double));
        b.if_else(is_full, then, Vec::new())
    }
}
