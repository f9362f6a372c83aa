//! Whether a write is the first one to change a value after it was used.
//!
//! Only the first write has to save it: going back, what later writes changed is changed again by
//! putting back what the first one found. A write `w` is not the first for a use `u` if, whenever it runs
//! after `u` on the same element, another write `k` (the *earlier* one) runs in between on that element.
//! Here `k` stands before `w` in the text, and writes in the same iteration of all common loops what `w`
//! will write. Then `k` lies between `u` and `w`
//!
//! * where `u` is in an earlier iteration of one of these loops, and
//! * where `u` stands before `k` in the text and shares no other loop with it.

use contraflow_ir::{Access, StmtId};

use super::{Before, Dependence, Order, TextOrder, USE, Use, is_closed};
use contraflow_ir::affine::System;

impl Dependence<'_> {
    /// Whether, in one run of `frame`, `write` at `writer` may be the first to change the used place after
    /// the point of the use, these assignments being run too.
    pub fn may_spoil_first(
        &self,
        used: &Use,
        (writer, write): (StmtId, &Access),
        others: &[(StmtId, &Access)],
        frame: Option<StmtId>,
    ) -> bool {
        if !self.may_spoil(used, writer, write, frame) {
            return false;
        }
        if used.access.var != write.var || self.moving.contains(write.var.index()) {
            return true;
        }
        let earlier: Vec<StmtId> = others
            .iter()
            .filter(|(other, access)| *other != writer && access.var == write.var)
            .filter(|other| self.writes_ahead(**other, (writer, write), frame))
            .map(|(other, _)| *other)
            .collect();
        let orders = self.orders(used, writer, self.fixed_loops(frame));
        orders
            .iter()
            .filter(|order| self.may_touch(used, writer, write, order))
            .any(|order| {
                !earlier
                    .iter()
                    .any(|&other| self.lies_between(other, used, writer, order, frame))
            })
    }

    /// Whether `first` writes, in the same iteration of all common loops, each element that `second` is
    /// about to write.
    fn writes_ahead(
        &self,
        (first, ahead): (StmtId, &Access),
        (second, write): (StmtId, &Access),
        frame: Option<StmtId>,
    ) -> bool {
        let fixed = self.fixed_loops(frame);
        let (common, text) = self.divergence(second, first, &fixed);
        if text != TextOrder::WriteEarlier || !self.runs_with(first, second) {
            return false;
        }
        if ahead.path.is_empty() && write.path.is_empty() {
            return self.own_loops(first, &fixed) == common;
        }
        let before = Before {
            equal: common,
            earlier: None,
        };
        let Some(gaps) = self.gaps((first, ahead), (second, write), &before, frame) else {
            return false;
        };
        let mut domain = System::new();
        let loops = self.tree.loops(second);
        self.add_domain(&mut domain, &loops, &fixed, USE);
        is_closed(&domain, &[gaps])
    }

    /// Whether the write at `first`, in the iteration in which it writes what `writer` does, comes after
    /// the use.
    fn lies_between(
        &self,
        first: StmtId,
        used: &Use,
        writer: StmtId,
        order: &Order,
        frame: Option<StmtId>,
    ) -> bool {
        let fixed = self.fixed_loops(frame);
        let (shared, _) = self.divergence(writer, first, &fixed);
        if let Some(l) = order.later {
            return shared.contains(&l);
        }
        if used.at == first {
            return !used.after && self.own_loops(first, &fixed) == shared;
        }
        let (common, text) = self.divergence(used.at, first, &fixed);
        text == TextOrder::WriteLater && common.iter().all(|l| shared.contains(l))
    }

    pub(super) fn own_loops(&self, stmt: StmtId, fixed: &[StmtId]) -> Vec<StmtId> {
        let mut loops = self.tree.loops(stmt);
        loops.retain(|l| !fixed.contains(l));
        loops
    }
}
